package io.heatshield.time;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A clock of Unix time in milliseconds that ignores short jumps of its source.
 *
 * <p>If the source differs from the time that the ticker predicts by more than {@link #TOLERANCE},
 * it has been set. This clock adopts the new time after it has lasted for {@link #HOLD}, and until
 * then follows the ticker. If the source jumps and returns within that time, this clock ignores the
 * jump, so no rate-limit window begins twice. It follows smaller corrections immediately, except
 * that it stands still instead of going back.
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
  private boolean deviates;
  private long deviatesSince;

  /**
   * Creates a clock that begins with the source's current reading.
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
      deviates = false;
      millis = Math.max(millis, wall);
      return millis;
    }
    if (!deviates) {
      deviates = true;
      deviatesSince = now;
    }
    if (now - deviatesSince >= HOLD.toNanos()) {
      deviates = false;
      millis = wall;
    } else {
      millis = expected;
    }
    return millis;
  }
}
