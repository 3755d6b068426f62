package io.heatshield.insight;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that advances with a fake ticker. */
public final class TickerClock extends Clock {
  private final FakeTicker ticker;
  private final long startNanos;
  private final Instant start;

  /** Creates a clock that shows a time now. */
  public TickerClock(FakeTicker ticker, Instant start) {
    this.ticker = ticker;
    this.startNanos = ticker.nanos();
    this.start = start;
  }

  @Override
  public Instant instant() {
    return start.plusNanos(ticker.nanos() - startNanos);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
