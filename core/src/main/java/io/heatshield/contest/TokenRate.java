package io.heatshield.contest;

import java.time.Duration;

/**
 * A rate that a key is held to by a token bucket.
 *
 * @param touches the touches that are permitted in each {@code per}, at least 1
 * @param per the time that they are permitted in, 1 ns to 366 days
 * @param burst the touches that may come at once, at least 1
 */
public record TokenRate(long touches, Duration per, long burst) {
  private static final long MOST = Integer.MAX_VALUE;

  /** Checks the rate. */
  public TokenRate {
    if (touches < 1 || touches > MOST) {
      throw new IllegalArgumentException("touches must be 1 to " + MOST + ": " + touches);
    }
    if (burst < 1 || burst > MOST) {
      throw new IllegalArgumentException("burst must be 1 to " + MOST + ": " + burst);
    }
    if (per.isNegative() || per.isZero() || per.compareTo(ContestTableBuilder.MAX_SPAN) > 0) {
      throw new IllegalArgumentException(
          "per must be above 0 and at most " + ContestTableBuilder.MAX_SPAN + ": " + per);
    }
    if (Math.multiplyHigh(burst + 1, per.toNanos()) != 0 || (burst + 1) * per.toNanos() < 0) {
      throw new IllegalArgumentException("burst must fit the time per touch: " + burst + " " + per);
    }
  }

  /** Returns a rate per second with a burst of one second's worth. */
  public static TokenRate perSecond(long touches) {
    return new TokenRate(touches, Duration.ofSeconds(1), touches);
  }
}
