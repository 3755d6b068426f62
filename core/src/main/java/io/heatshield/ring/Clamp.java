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
  /*
   * On its way out of the table an answer is one number, so that the record is made in one place, by a method small
   * enough to be inlined where it is used, and then is never allocated:
   *
   *   0 and more   admitted, the count; the largest number of all for a key that is not tracked
   *   below 0      the complement of [count 20 | room 43], limited; a room of all ones but the last is never
   *
   * A limited answer that does not fit, a count past a million or a room past two hours, is asked for again.
   */
  static final long UNTRACKED = Long.MAX_VALUE;
  static final long UNPACKABLE = Long.MIN_VALUE + 1;

  private static final int ROOM_BITS = 43;
  private static final long MAX_ROOM = (1L << ROOM_BITS) - 1;
  private static final long MAX_COUNT = (1L << 20) - 1;

  /** The time until room of a key that only {@code remove} can free. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Packs the answer to a limited call. */
  static long pack(long count, long roomNanos) {
    long room = roomNanos == NEVER ? MAX_ROOM - 1 : roomNanos;
    boolean fits = count < MAX_COUNT && (room < MAX_ROOM - 1 || roomNanos == NEVER);
    return fits ? ~((count << ROOM_BITS) | room) : UNPACKABLE;
  }

  static boolean isLimited(long packed) {
    return packed < 0;
  }

  /** Returns the count of an answer other than {@link #UNPACKABLE}. */
  static long count(long packed) {
    return packed < 0 ? ~packed >>> ROOM_BITS : packed == UNTRACKED ? 0 : packed;
  }

  /** Returns the time until room of an answer other than {@link #UNPACKABLE}. */
  static long roomNanos(long packed) {
    long room = ~packed & MAX_ROOM;
    return !isLimited(packed) ? 0 : room == MAX_ROOM - 1 ? NEVER : room;
  }

  static Clamp unpack(long packed) {
    return new Clamp(count(packed), isLimited(packed), packed == UNTRACKED, roomNanos(packed));
  }

  static Clamp limited(long count, long roomNanos) {
    return new Clamp(count, true, false, roomNanos);
  }

  /** Returns how long until a call will find room; some 292 years stand for never. */
  public Duration room() {
    return Duration.ofNanos(roomNanos);
  }
}
