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

  private final long count;
  private final long limit;
  private final boolean tracked;
  private final long retryNanos;

  private Admission(long count, long limit, boolean tracked, long retryNanos) {
    this.count = count;
    this.limit = limit;
    this.tracked = tracked;
    this.retryNanos = retryNanos;
  }

  /** Returns the result of a call that was admitted as the {@code count}-th of a limit. */
  public static Admission admitted(long count, long limit) {
    return new Admission(count, limit, true, 0);
  }

  /**
   * Returns the result of a call that was refused.
   *
   * @param retryNanos the time until a call is admitted, at least 1; {@link Long#MAX_VALUE} if
   *     waiting does not help
   */
  public static Admission refused(long count, long limit, long retryNanos) {
    if (retryNanos < 1) {
      throw new IllegalArgumentException("retryNanos must be at least 1: " + retryNanos);
    }
    return new Admission(count, limit, true, retryNanos);
  }

  /**
   * Returns the result of a call that was not counted, because its key has no place in the table.
   *
   * @param retryNanos 0 if the call is admitted; otherwise as for a refused call
   */
  public static Admission untracked(long limit, long retryNanos) {
    return new Admission(0, limit, false, retryNanos);
  }

  /** Returns whether the call is within the limit. */
  public boolean admitted() {
    return retryNanos == 0;
  }

  /** Returns whether the call was counted, or would have been had it been admitted. */
  public boolean tracked() {
    return tracked;
  }

  /** Returns the count of the key after the call; a refused call does not increase it. */
  public long count() {
    return count;
  }

  /** Returns how many more calls of the key would be admitted now; 0 if this one was refused. */
  public long remaining() {
    return admitted() ? Math.max(0, limit - count) : 0;
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

  /** Returns the result as text, such as {@code 5 of 5, refused for PT12S}. */
  @Override
  public String toString() {
    return count
        + " of "
        + limit
        + (admitted() ? ", admitted" : ", refused for " + retryAfter())
        + (tracked ? "" : ", untracked");
  }
}
