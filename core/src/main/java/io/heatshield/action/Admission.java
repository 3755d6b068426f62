package io.heatshield.action;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The result of a call of a key that has a limit: admitted, or refused with the time to wait.
 *
 * <pre>{@code
 * Admission result = limiter.tryAcquire("user", "42");
 * if (!result.admitted()) {
 *   response.setStatus(429);
 *   response.setHeader("Retry-After", Long.toString(result.retryAfterSeconds()));
 * }
 * }</pre>
 */
public final class Admission {
  /** The time to wait if waiting does not help, as for a limit of 0: about 292 years. */
  public static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long remaining;
  private final long retryNanos;

  private Admission(long remaining, long retryNanos) {
    this.remaining = remaining;
    this.retryNanos = retryNanos;
  }

  /**
   * Returns the result of an admitted call.
   *
   * @param remaining how many more calls are admitted now, 0 or more
   */
  public static Admission admitted(long remaining) {
    if (remaining < 0) {
      throw new IllegalArgumentException("remaining must not be negative: " + remaining);
    }
    return new Admission(remaining, 0);
  }

  /**
   * Returns the result of a refused call.
   *
   * @param retryNanos the time until a call is admitted, at least 1; {@link Long#MAX_VALUE} if
   *     waiting does not help
   */
  public static Admission refused(long retryNanos) {
    if (retryNanos < 1) {
      throw new IllegalArgumentException("retryNanos must be at least 1: " + retryNanos);
    }
    return new Admission(0, retryNanos);
  }

  /** Returns whether the call was admitted, and counted. */
  public boolean admitted() {
    return retryNanos == 0;
  }

  /** Returns how many more calls of the key were admitted at this moment; 0 if this was refused. */
  public long remaining() {
    return remaining;
  }

  /**
   * Returns the time until a call of the key is admitted, if no other call is admitted before: zero
   * if this one was admitted, {@link #NEVER} if waiting does not help.
   */
  public Duration retryAfter() {
    return Duration.ofNanos(retryNanos);
  }

  /** Returns {@link #retryAfter} in seconds, rounded up, as a {@code Retry-After} header has it. */
  public long retryAfterSeconds() {
    return retryNanos / NANOS_PER_SECOND + (retryNanos % NANOS_PER_SECOND == 0 ? 0 : 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Admission that
        && remaining == that.remaining
        && retryNanos == that.retryNanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(remaining * 31 + retryNanos);
  }

  /** Returns the result as text, such as {@code refused, retry after PT12S}. */
  @Override
  public String toString() {
    return admitted()
        ? "admitted, " + remaining + " remaining"
        : "refused, retry after " + retryAfter();
  }
}
