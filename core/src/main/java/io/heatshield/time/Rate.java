package io.heatshield.time;

import java.time.Duration;

/**
 * A number of touches per time, such as 5 per minute.
 *
 * @param touches the touches; a limit of 0 refuses everything
 * @param per the time, above 0 and at most 366 days
 */
public record Rate(long touches, Duration per) {
  private static final Duration MAX = Duration.ofDays(366);

  /**
   * Checks the rate.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public Rate {
    if (touches < 0) {
      throw new IllegalArgumentException("touches must not be negative: " + touches);
    }
    if (per.isNegative() || per.isZero() || per.compareTo(MAX) > 0) {
      throw new IllegalArgumentException("per must be above 0 and at most " + MAX + ": " + per);
    }
  }

  /** Returns a rate per second. */
  public static Rate perSecond(long touches) {
    return new Rate(touches, Duration.ofSeconds(1));
  }

  /** Returns a rate per minute. */
  public static Rate perMinute(long touches) {
    return new Rate(touches, Duration.ofMinutes(1));
  }

  /** Returns a rate per hour. */
  public static Rate perHour(long touches) {
    return new Rate(touches, Duration.ofHours(1));
  }

  /** Returns a rate per day. */
  public static Rate perDay(long touches) {
    return new Rate(touches, Duration.ofDays(1));
  }

  /** Returns the touches in a second. */
  public double inASecond() {
    return touches * 1e9 / per.toNanos();
  }

  /** Returns the rate as text, such as {@code 5 per PT1M}. */
  @Override
  public String toString() {
    return touches + " per " + per;
  }
}
