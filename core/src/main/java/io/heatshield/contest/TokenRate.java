package io.heatshield.contest;

import java.time.Duration;

/**
 * A rate to which a token bucket limits a key.
 *
 * @param touches the number of touches allowed in each {@code per}, at least 1
 * @param per the time for that number of touches, 1 ns to 366 days
 * @param burst the number of touches allowed at once, at least 1
 */
public record TokenRate(long touches, Duration per, long burst) {
  private static final long MAX = Integer.MAX_VALUE;

  /**
   * Checks the rate.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public TokenRate {
    if (touches < 1 || touches > MAX) {
      throw new IllegalArgumentException("touches must be 1 to " + MAX + ": " + touches);
    }
    if (burst < 1 || burst > MAX) {
      throw new IllegalArgumentException("burst must be 1 to " + MAX + ": " + burst);
    }
    if (per.isNegative() || per.isZero() || per.compareTo(ContestTableBuilder.MAX_SPAN) > 0) {
      throw new IllegalArgumentException(
          "per must be above 0 and at most " + ContestTableBuilder.MAX_SPAN + ": " + per);
    }
    if (Math.multiplyHigh(burst + 1, per.toNanos()) != 0 || (burst + 1) * per.toNanos() < 0) {
      throw new IllegalArgumentException("burst must fit the time per touch: " + burst + " " + per);
    }
  }

  /** Returns a rate per second whose burst is the touches of one second. */
  public static TokenRate perSecond(long touches) {
    return new TokenRate(touches, Duration.ofSeconds(1), touches);
  }
}
