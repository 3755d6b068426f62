package io.heatshield.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoTrafficTest {
  private static final long SEED = 7;

  private final FakeTicker ticker = new FakeTicker();
  private final List<String> touched = new ArrayList<>();
  private final DemoTraffic traffic = traffic(touched);

  @Test
  void catchUp_atTheStart_handsOverNothing() {
    assertThat(traffic.catchUp()).isZero();
  }

  @Test
  void catchUp_inUnevenSteps_keepsTheRateExactly() {
    for (int step = 0; step < 1_000; step++) {
      traffic.catchUp();
      ticker.advanceNanos(step % 2 == 0 ? 333_333 : 1_666_667);
    }

    traffic.catchUp();

    assertThat(touched).hasSize(DemoTraffic.TOUCHES_PER_SECOND);
  }

  @Test
  void catchUp_afterALongPause_handsOverOneSecondsWorthAndGoesOn() {
    ticker.advance(Duration.ofHours(3));

    int afterThePause = traffic.catchUp();
    int again = traffic.catchUp();
    ticker.advance(Duration.ofMillis(10));
    int later = traffic.catchUp();

    assertThat(afterThePause).isEqualTo(DemoTraffic.TOUCHES_PER_SECOND);
    assertThat(again).isZero();
    assertThat(later).isEqualTo(DemoTraffic.TOUCHES_PER_SECOND / 100);
  }

  @Test
  void catchUp_throughOneTurn_burnsOneKeyFarAboveTheNext() {
    List<String> second = aSecond();

    Map<String, Integer> counts = counts(second);
    int hottest = Collections.max(counts.values());
    assertThat(hottest).isBetween(1_500, 1_800);
    assertThat(counts.values().stream().filter(count -> count > hottest * 2 / 3)).hasSize(1);
  }

  @Test
  void catchUp_inTheNextTurn_burnsAnotherKeyAndCoolsTheOldOne() {
    String first = hottest(aSecond());
    ticker.advance(DemoTraffic.TURN.minusSeconds(3));
    traffic.catchUp();
    String beforeTheTurn = hottest(aSecond());
    List<String> afterTheTurn = aSecond();

    String second = hottest(afterTheTurn);

    assertThat(beforeTheTurn).isEqualTo(first);
    assertThat(second).isNotEqualTo(first);
    assertThat(counts(afterTheTurn).getOrDefault(first, 0)).isLessThan(10);
  }

  @Test
  void catchUp_sameSeed_handsOverTheSameTouches() {
    var others = new ArrayList<String>();
    DemoTraffic other = traffic(others);
    ticker.advance(Duration.ofMillis(100));

    traffic.catchUp();
    other.catchUp();

    assertThat(touched).isNotEmpty().isEqualTo(others);
  }

  @Test
  void start_realThread_handsOverUntilClosed() throws InterruptedException {
    var first = new java.util.concurrent.CountDownLatch(1);
    var live = new DemoTraffic(System::nanoTime, SEED, (scope, key) -> first.countDown());

    try (var load = DemoLoad.start(live::catchUp)) {
      assertThat(first.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
      assertThat(load).isNotNull();
    }

    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("heatshield-demo") && thread.isAlive());
  }

  private DemoTraffic traffic(List<String> into) {
    return new DemoTraffic(
        ticker::nanos,
        SEED,
        (scope, key) -> into.add(scope + " " + new String(key, StandardCharsets.US_ASCII)));
  }

  private List<String> aSecond() {
    touched.clear();
    ticker.advance(Duration.ofSeconds(1));
    traffic.catchUp();
    return List.copyOf(touched);
  }

  private static String hottest(List<String> touches) {
    return Collections.max(counts(touches).entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  private static Map<String, Integer> counts(List<String> touches) {
    var counts = new HashMap<String, Integer>();
    touches.forEach(touch -> counts.merge(touch, 1, Integer::sum));
    return counts;
  }
}
