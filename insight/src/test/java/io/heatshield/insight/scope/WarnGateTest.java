package io.heatshield.insight.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class WarnGateTest {
  private final FakeTicker ticker = new FakeTicker();
  private final WarnGate gate = new WarnGate(ticker::nanos, Duration.ofSeconds(10));

  @Test
  void pass_sameKeyWithinTheInterval_isHeldBack() {
    assertThat(gate.pass("a")).isTrue();

    ticker.advance(Duration.ofSeconds(10).minusNanos(1));
    assertThat(gate.pass("a")).isFalse();
    assertThat(gate.pass("b")).isTrue();

    ticker.advanceNanos(1);
    assertThat(gate.pass("a")).isTrue();
    assertThat(gate.heldBack()).isEqualTo(1);
  }

  @Test
  void pass_byEightThreadsAtOnce_letsOneThrough() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 200; round++) {
        Callable<Boolean> asks = () -> gate.pass("a");
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
  void pass_floodOfKeys_staysInsideItsBoundAndRecovers() {
    for (int i = 0; i < 100_000; i++) {
      gate.pass("junk" + i);
    }

    assertThat(gate.size()).isEqualTo(WarnGate.MAX_KEYS);
    assertThat(gate.heldBack()).isEqualTo(100_000 - WarnGate.MAX_KEYS);
    assertThat(gate.pass("junk0")).isFalse();

    ticker.advance(Duration.ofSeconds(10));
    assertThat(gate.pass("new")).isTrue();
    assertThat(gate.size()).isEqualTo(1);
  }
}
