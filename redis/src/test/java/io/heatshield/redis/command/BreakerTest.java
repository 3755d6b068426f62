package io.heatshield.redis.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration TOGETHER = Duration.ofMillis(2);

  private final FakeTicker ticker = new FakeTicker();
  private final ClientCounters counters = new ClientCounters();
  private final Breaker breaker =
      new Breaker(3, TOGETHER.toNanos(), PAUSE.toNanos(), ticker::nanos, counters);

  @Test
  void failed_inARow_opensAtTheThreshold() {
    fail(2);
    assertThat(breaker.isOpen()).isFalse();

    fail(1);

    assertThat(breaker.isOpen()).isTrue();
    assertThat(counters.snapshot().breakerOpenings()).isEqualTo(1);
  }

  @Test
  void failed_withAnAnswerBetween_staysClosed() {
    fail(2);
    breaker.succeeded();
    fail(2);

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void tryProbe_whileOpen_allowsOneAfterThePause() {
    breaker.trip();

    assertThat(breaker.tryProbe()).isFalse();
    ticker.advance(PAUSE);
    assertThat(breaker.tryProbe()).isTrue();
    assertThat(breaker.tryProbe()).isFalse();
  }

  @Test
  void probed_withoutAnAnswer_pausesAgain() {
    breaker.trip();
    ticker.advance(PAUSE);
    breaker.tryProbe();

    breaker.probed(false);

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.tryProbe()).isFalse();
    ticker.advance(PAUSE);
    assertThat(breaker.tryProbe()).isTrue();
  }

  @Test
  void probed_withAnAnswer_closesAndCountsFromZero() {
    fail(3);
    ticker.advance(PAUSE);
    breaker.tryProbe();

    breaker.probed(true);
    fail(2);

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void succeeded_whileOpen_doesNotClose() {
    breaker.trip();

    breaker.succeeded();

    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void failed_manyTimesTogether_isOneFailure() {
    for (int i = 0; i < 100; i++) {
      breaker.failed();
    }
    assertThat(breaker.isOpen()).isFalse();

    fail(2);

    assertThat(breaker.isOpen()).isTrue();
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      ticker.advance(TOGETHER);
      breaker.failed();
    }
  }
}
