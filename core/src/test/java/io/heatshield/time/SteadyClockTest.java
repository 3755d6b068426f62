package io.heatshield.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyClockTest {
  private static final long START = 1_700_000_000_000L;

  private final FakeTicker ticker = new FakeTicker();
  private final AtomicLong wall = new AtomicLong(START);
  private final SteadyClock clock = new SteadyClock(wall::get, ticker::nanos);

  @Test
  void getAsLong_accurateSource_isTheSource() {
    for (int i = 0; i < 1_000; i++) {
      advanceBoth(7);
      assertThat(clock.getAsLong()).isEqualTo(wall.get());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, -5_000, 5_000, 3_600_000})
  void getAsLong_jumpAndReturn_isIgnored(long jump) {
    for (int i = 0; i < 20; i++) {
      wall.addAndGet(jump);
      advanceBoth(4_000);
      assertThat(clock.getAsLong()).isEqualTo(wall.get() - jump);

      wall.addAndGet(-jump);
      advanceBoth(1_000);
      assertThat(clock.getAsLong()).isEqualTo(wall.get());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, -5_000, 5_000, 3_600_000})
  void getAsLong_lastingJump_isAdoptedAfterTheHold(long jump) {
    wall.addAndGet(jump);
    assertThat(clock.getAsLong()).isEqualTo(START);
    advanceBoth(SteadyClock.HOLD.toMillis() - 1);
    assertThat(clock.getAsLong()).isEqualTo(wall.get() - jump);

    advanceBoth(1);
    assertThat(clock.getAsLong()).isEqualTo(wall.get());
  }

  @Test
  void getAsLong_smallStepBack_standsStillUntilTheSourceCatchesUp() {
    wall.addAndGet(-500);
    assertThat(clock.getAsLong()).isEqualTo(START);

    advanceBoth(400);
    assertThat(clock.getAsLong()).isEqualTo(START);

    advanceBoth(200);
    assertThat(clock.getAsLong()).isEqualTo(START + 100);
  }

  @Test
  void getAsLong_manyReadingsPerMillisecond_loseNoTime() {
    wall.addAndGet(5_000);
    for (int i = 0; i < 10_000; i++) {
      ticker.advance(Duration.ofNanos(300_000));
      long unused = clock.getAsLong();
    }

    assertThat(clock.getAsLong()).isEqualTo(START + 3_000);
  }

  private void advanceBoth(long millis) {
    ticker.advance(Duration.ofMillis(millis));
    wall.addAndGet(millis);
  }
}
