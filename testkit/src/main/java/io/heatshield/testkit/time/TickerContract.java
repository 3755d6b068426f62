package io.heatshield.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * The contract of every source of monotonic nanoseconds; one subclass per implementation.
 *
 * <p>All contract suites follow this pattern: the suite depends on no implementation, gets a new
 * subject from one abstract method, and is in {@code testkit} so that each module can run it.
 */
public abstract class TickerContract {

  /** Returns the ticker under test. */
  protected abstract LongSupplier ticker();

  @Test
  void nanos_readRepeatedly_neverRunsBackwards() {
    LongSupplier ticker = ticker();
    long last = ticker.getAsLong();

    for (int i = 0; i < 10_000; i++) {
      long next = ticker.getAsLong();
      assertThat(next - last).isNotNegative();
      last = next;
    }
  }
}
