package io.heatshield.replay.trace;

/**
 * The time of a trace, made to run forward from 0 whatever its lines say.
 *
 * <p>A line that is earlier than one before it counts at the time reached. A line that leaps ahead
 * by more than ten minutes is believed when {@value #CONFIRM_LEAP} in a row say so, and counts at
 * the time reached until then. When {@value #CONFIRM_BACK} lines in a row are more than a second
 * behind, the time reached was a lie or a clock was set back: time goes on from where it is, at the
 * pace of the lines.
 */
final class TraceClock {
  static final int CONFIRM_LEAP = 8;
  static final int CONFIRM_BACK = 64;
  private static final long LEAP = 600_000_000_000L;
  private static final long BEHIND = 1_000_000_000L;

  private boolean started;
  private long origin;
  private long now;
  private int leaping;
  private int trailing;
  private long backwards;
  private long farthestBack;
  private long leaps;
  private long rebased;

  /** Returns the time of a line in nanoseconds since the first. */
  long at(long nanos) {
    if (!started) {
      started = true;
      origin = nanos;
      return 0;
    }
    long time = nanos - origin;
    if (time > now + LEAP) {
      leaps++;
      trailing = 0;
      if (++leaping >= CONFIRM_LEAP && time <= TimeText.LATEST) {
        leaping = 0;
        now = time;
      }
      return now;
    }
    leaping = 0;
    if (time >= now) {
      trailing = 0;
      now = time;
      return now;
    }
    backwards++;
    farthestBack = Math.max(farthestBack, now - time);
    if (now - time <= BEHIND) {
      trailing = 0;
    } else if (++trailing >= CONFIRM_BACK) {
      trailing = 0;
      rebased++;
      origin = nanos - now;
    }
    return now;
  }

  long now() {
    return now;
  }

  long backwards() {
    return backwards;
  }

  long farthestBackNanos() {
    return farthestBack;
  }

  long leaps() {
    return leaps;
  }

  long rebased() {
    return rebased;
  }
}
