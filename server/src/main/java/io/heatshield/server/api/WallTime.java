package io.heatshield.server.api;

import io.heatshield.time.Ticker;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The wall time of a ticker's reading, for display only.
 *
 * <p>It is taken from how long ago the reading was, so it shows a step of the clock at once and is
 * as exact as the two are coarse.
 */
public final class WallTime {
  private final Ticker ticker;
  private final Clock clock;

  /** Creates a translation between a ticker and a clock. */
  public WallTime(Ticker ticker, Clock clock) {
    this.ticker = ticker;
    this.clock = clock;
  }

  /** Returns the present wall time. */
  Instant now() {
    return clock.instant();
  }

  /** Returns a reading as an ISO-8601 time to the millisecond. */
  public String text(long nanos) {
    Instant at = clock.instant().minusNanos(ticker.nanos() - nanos);
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
