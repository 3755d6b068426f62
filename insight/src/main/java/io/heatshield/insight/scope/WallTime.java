package io.heatshield.insight.scope;

import io.heatshield.time.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The wall time of a ticker's reading, for display only.
 *
 * <p>One reading is one time, however often it is asked for: ticker and clock are compared anew
 * only when they have come apart by a second, by a step of the clock or by drift. Any thread may
 * call.
 */
public final class WallTime {
  private static final long APART_NANOS = 1_000_000_000L;

  private final Ticker ticker;
  private final Clock clock;
  private volatile long offsetNanos;

  /** Creates a translation between a ticker and a clock. */
  public WallTime(Ticker ticker, Clock clock) {
    this.ticker = ticker;
    this.clock = clock;
    this.offsetNanos = offset();
  }

  /** Returns the present time. */
  public Instant now() {
    return clock.instant();
  }

  /** Returns a reading as a time, to the millisecond. */
  public Instant at(long nanos) {
    long offset = offsetNanos;
    long now = offset();
    if (Math.abs(now - offset) >= APART_NANOS) {
      offset = now;
      offsetNanos = now;
    }
    return Instant.EPOCH.plusNanos(nanos + offset).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns a reading as an ISO-8601 time to the millisecond. */
  public String text(long nanos) {
    return at(nanos).toString();
  }

  /** Returns what makes nanoseconds of Unix time of a reading. */
  private long offset() {
    return Duration.between(Instant.EPOCH, clock.instant()).toNanos() - ticker.nanos();
  }
}
