package io.heatshield.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * What every source of monotonic nanoseconds keeps; one subclass per implementation.
 *
 * <p>This is the pattern of all contract suites here: the suite knows the contract and no
 * implementation, asks for a fresh subject through one abstract method, and stands in {@code
 * testkit} so that each module can run it.
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
