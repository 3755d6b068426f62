package io.heatshield.replay.trace;

/**
 * A monotonic clock, starting at 0, driven by the times of a trace's lines.
 *
 * <p>A line that is earlier than its predecessor does not move the clock. A jump ahead by more than
 * ten minutes is accepted after {@value #CONFIRM_LEAP} such lines in a row; until then the clock
 * stays. After {@value #CONFIRM_BACK} lines in a row that are more than a second behind, the clock
 * was wrong or was set back: it then continues from its present value at the pace of the lines.
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

  /** Applies the time of a line; returns nanoseconds since the first line. */
  long advance(long nanos) {
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
