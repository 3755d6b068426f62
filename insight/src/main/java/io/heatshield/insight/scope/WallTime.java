package io.heatshield.insight.scope;

import io.heatshield.time.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Converts ticker readings to wall time, for display only. Thread-safe.
 *
 * <p>The same reading always gives the same time, unless ticker and clock have diverged by a second
 * through a clock step or drift: then the offset is measured again.
 */
public final class WallTime {
  private static final long MAX_DIVERGENCE_NANOS = 1_000_000_000L;

  private final Ticker ticker;
  private final Clock clock;
  private volatile long offsetNanos;

  /** Creates a conversion from a ticker to a clock. */
  public WallTime(Ticker ticker, Clock clock) {
    this.ticker = ticker;
    this.clock = clock;
    this.offsetNanos = offset();
  }

  /** Returns the current time. */
  public Instant now() {
    return clock.instant();
  }

  /** Returns the time of a reading, to the millisecond. */
  public Instant at(long nanos) {
    long offset = offsetNanos;
    long now = offset();
    if (Math.abs(now - offset) >= MAX_DIVERGENCE_NANOS) {
      offset = now;
      offsetNanos = now;
    }
    return Instant.EPOCH.plusNanos(nanos + offset).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns the time that was a duration before a reading, to the millisecond. */
  public Instant before(long nanos, Duration time) {
    return at(nanos - time.toNanos());
  }

  /** Returns the offset from ticker readings to Unix time, in nanoseconds. */
  private long offset() {
    return Duration.between(Instant.EPOCH, clock.instant()).toNanos() - ticker.nanos();
  }
}
