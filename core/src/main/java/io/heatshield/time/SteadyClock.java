package io.heatshield.time;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A clock of Unix time in milliseconds that ignores short jumps of its source.
 *
 * <p>A source that differs from the elapsed time of the ticker by more than {@link #TOLERANCE} has
 * been set. The new time is adopted once it has lasted for {@link #HOLD}; until then this clock
 * advances by the ticker. A source that jumps ahead or back and returns within that time changes
 * nothing, so it cannot open a rate-limit window twice. Smaller corrections are followed
 * immediately, except that the clock stops instead of going back.
 *
 * <p>Any thread may read it.
 */
public final class SteadyClock implements LongSupplier {
  /** The largest difference that is followed immediately. */
  public static final Duration TOLERANCE = Duration.ofSeconds(1);

  /** The time that a larger difference must last before it is adopted. */
  public static final Duration HOLD = Duration.ofSeconds(10);

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier source;
  private final Ticker ticker;
  private long millis;
  private long readAt;
  private boolean isOff;
  private long offSince;

  /**
   * Creates a clock that begins with the source's present reading.
   *
   * @param source Unix time in milliseconds, which may be set at any time
   */
  public SteadyClock(LongSupplier source, Ticker ticker) {
    this.source = source;
    this.ticker = ticker;
    this.millis = source.getAsLong();
    this.readAt = ticker.nanos();
  }

  @Override
  public synchronized long getAsLong() {
    long now = ticker.nanos();
    long wall = source.getAsLong();
    long elapsed = (now - readAt) / NANOS_PER_MILLI;
    long expected = millis + elapsed;
    readAt += elapsed * NANOS_PER_MILLI;
    if (Math.abs(wall - expected) <= TOLERANCE.toMillis()) {
      isOff = false;
      millis = Math.max(millis, wall);
      return millis;
    }
    if (!isOff) {
      isOff = true;
      offSince = now;
    }
    if (now - offSince >= HOLD.toNanos()) {
      isOff = false;
      millis = wall;
    } else {
      millis = expected;
    }
    return millis;
  }
}
