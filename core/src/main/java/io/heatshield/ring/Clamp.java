package io.heatshield.ring;

import java.time.Duration;

/**
 * The result of a clamp: whether a call of a key is within its limit.
 *
 * @param count the key's count after the call; a limited call does not increase it
 * @param limited whether the call is over the limit
 * @param untracked whether the ring is full and does not hold the key; the call is then admitted
 *     and not counted
 * @param roomNanos the time until a call is admitted, if no other is counted before: 0 if this call
 *     was admitted, {@link #NEVER} if waiting does not help
 */
public record Clamp(long count, boolean limited, boolean untracked, long roomNanos) {
  /** The result of {@link EntryTable#clamp} for a key that the ring does not hold. */
  static final long UNTRACKED = Long.MAX_VALUE;

  /** The {@code roomNanos} of a key whose calls are limited until it is removed. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Creates a record from a result of {@link EntryTable#clamp}. */
  static Clamp of(long result, long roomNanos) {
    boolean limited = result < 0;
    boolean untracked = result == UNTRACKED;
    long count = limited ? ~result : untracked ? 0 : result;
    return new Clamp(count, limited, untracked, roomNanos);
  }

  /** Returns the time until a call is admitted; about 292 years means never. */
  public Duration room() {
    return Duration.ofNanos(roomNanos);
  }
}
