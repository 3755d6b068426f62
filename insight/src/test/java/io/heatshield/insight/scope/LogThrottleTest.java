package io.heatshield.insight.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
  private final FakeTicker ticker = new FakeTicker();
  private final LogThrottle throttle = new LogThrottle(ticker::nanos, Duration.ofSeconds(10));

  @Test
  void tryAcquire_sameKeyWithinTheInterval_isThrottled() {
    assertThat(throttle.tryAcquire("a")).isTrue();

    ticker.advance(Duration.ofSeconds(10).minusNanos(1));
    assertThat(throttle.tryAcquire("a")).isFalse();
    assertThat(throttle.tryAcquire("b")).isTrue();

    ticker.advanceNanos(1);
    assertThat(throttle.tryAcquire("a")).isTrue();
    assertThat(throttle.suppressed()).isEqualTo(1);
  }

  @Test
  void tryAcquire_byEightThreadsTogether_succeedsOnce() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 200; round++) {
        Callable<Boolean> asks = () -> throttle.tryAcquire("a");
        int passed = 0;
        for (Future<Boolean> answer : threads.invokeAll(Collections.nCopies(8, asks))) {
          passed += answer.get() ? 1 : 0;
        }

        assertThat(passed).isEqualTo(1);
        ticker.advance(Duration.ofSeconds(10));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void tryAcquire_floodOfKeys_staysInsideItsBoundAndRecovers() {
    for (int i = 0; i < 100_000; i++) {
      throttle.tryAcquire("junk" + i);
    }

    assertThat(throttle.size()).isEqualTo(LogThrottle.MAX_KEYS);
    assertThat(throttle.suppressed()).isEqualTo(100_000 - LogThrottle.MAX_KEYS);
    assertThat(throttle.tryAcquire("junk0")).isFalse();

    ticker.advance(Duration.ofSeconds(10));
    assertThat(throttle.tryAcquire("new")).isTrue();
    assertThat(throttle.size()).isEqualTo(1);
  }
}
