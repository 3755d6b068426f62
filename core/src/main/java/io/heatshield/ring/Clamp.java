package io.heatshield.ring;

import java.time.Duration;

/**
 * The answer to whether a key may go on.
 *
 * @param count the key's count after the call; a limited call does not raise it
 * @param limited whether the call is over the limit
 * @param untracked whether the ring is full and does not hold the key: the call is admitted, and
 *     counted nowhere
 * @param roomNanos how long until a call will find room if nothing else is counted before: 0 if
 *     this one was not limited, {@link #NEVER} if time alone makes none
 */
public record Clamp(long count, boolean limited, boolean untracked, long roomNanos) {
  /** The table's answer for a key that it does not hold. */
  static final long UNTRACKED = Long.MAX_VALUE;

  /** The time until room of a key that only {@code remove} can free. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Returns the record of an answer of {@link EntryTable#clamp}. */
  static Clamp of(long answer, long roomNanos) {
    boolean limited = answer < 0;
    boolean untracked = answer == UNTRACKED;
    long count = limited ? ~answer : untracked ? 0 : answer;
    return new Clamp(count, limited, untracked, roomNanos);
  }

  /** Returns how long until a call will find room; some 292 years stand for never. */
  public Duration room() {
    return Duration.ofNanos(roomNanos);
  }
}
