package io.heatshield.testkit.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ticker that only changes when it is advanced; pass it to code as {@code ticker::nanos}.
 *
 * <p>Any thread may read or advance it. It starts close below the overflow of {@code long}, so that
 * code which compares readings instead of their difference fails in its first test.
 */
public final class FakeTicker {
  private final AtomicLong nanos;

  /** Creates a ticker whose reading overflows after one minute. */
  public FakeTicker() {
    this(Long.MAX_VALUE - Duration.ofMinutes(1).toNanos());
  }

  /** Creates a ticker with a given first reading. */
  public FakeTicker(long startNanos) {
    nanos = new AtomicLong(startNanos);
  }

  /** Returns the current reading. */
  public long nanos() {
    return nanos.get();
  }

  /** Advances by a duration, which may be zero but not negative, and returns this ticker. */
  public FakeTicker advance(Duration step) {
    return advanceNanos(step.toNanos());
  }

  /** Advances by nanoseconds, which may be zero but not negative, and returns this ticker. */
  public FakeTicker advanceNanos(long step) {
    if (step < 0) {
      throw new IllegalArgumentException("step must not be negative: " + step);
    }
    nanos.addAndGet(step);
    return this;
  }
}
