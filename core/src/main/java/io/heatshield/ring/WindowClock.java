package io.heatshield.ring;

import io.heatshield.time.Ticker;

/**
 * Divides a ring's time into epochs, during which only calls change a count.
 *
 * <p>An epoch ends when a window slot, a decay interval or a generation ends. Epochs never go back:
 * for a reading from before the newest epoch, the clock returns the newest epoch.
 */
final class WindowClock {
  /*
   * epoch   read: volatile   written: volatile, under the monitor, only forward
   *
   * An epoch is immutable. Pinned by HotRingTimeTest and HotRingThreadsTest.
   */
  private final Ticker ticker;
  private final long origin;
  private final long periodNanos;
  private final long rotationNanos;
  private final int slots;
  private final int decayShift;
  private final boolean timed;
  private volatile Epoch epoch;

  WindowClock(RingConfig config, Ticker ticker) {
    this.ticker = ticker;
    periodNanos = config.periodNanos();
    rotationNanos = config.rotationNanos();
    slots = config.slots();
    decayShift = config.decayShift();
    timed = periodNanos > 0 || rotationNanos > 0;
    origin = timed ? ticker.nanos() : 0;
    epoch = timed ? computeEpoch(0) : Epoch.FOREVER;
  }

  /** Returns the ticker's reading, or 0 if nothing in this ring depends on time. */
  long nanos() {
    return timed ? ticker.nanos() : 0;
  }

  /** Returns the epoch of a reading of the ticker. */
  Epoch epochAt(long now) {
    Epoch e = epoch;
    return now - e.end() < 0 ? e : advance(now);
  }

  /** Returns the current epoch. */
  Epoch currentEpoch() {
    return epochAt(nanos());
  }

  /** Returns whether anything in this ring depends on time. */
  boolean isTimed() {
    return timed;
  }

  /** Returns the time until keys may expire: at least 1, MAX_VALUE if nothing depends on time. */
  long nanosToEnd() {
    long now = nanos();
    return timed ? Math.max(1, epochAt(now).end() - now) : Long.MAX_VALUE;
  }

  int slots() {
    return slots;
  }

  long periodNanos() {
    return periodNanos;
  }

  long rotationNanos() {
    return rotationNanos;
  }

  boolean decays() {
    return slots == 0 && periodNanos > 0;
  }

  /** Returns a count after a number of decay intervals. */
  long decayed(long count, long intervals) {
    if (!decays()) {
      return count;
    }
    return intervals >= Long.SIZE || intervals * decayShift >= Long.SIZE
        ? 0
        : count >>> (int) (intervals * decayShift);
  }

  private synchronized Epoch advance(long now) {
    Epoch e = epoch;
    if (timed && now - e.end() >= 0) {
      e = computeEpoch(now - origin);
      epoch = e;
    }
    return e;
  }

  private Epoch computeEpoch(long elapsed) {
    long periods = periodNanos > 0 ? elapsed / periodNanos : 0;
    long generation = rotationNanos > 0 ? elapsed / rotationNanos : 0;
    long periodEnd = origin + (periods + 1) * periodNanos;
    long rotationEnd = origin + (generation + 1) * rotationNanos;
    boolean periodEndsFirst =
        rotationNanos == 0 || (periodNanos > 0 && periodEnd - rotationEnd < 0);
    return new Epoch(
        periodEndsFirst ? periodEnd : rotationEnd,
        periods + generation,
        generation,
        firstEpochOf(generation),
        firstEpochOf(Math.max(generation - 1, 0)),
        periodEnd,
        rotationEnd);
  }

  private long firstEpochOf(long generation) {
    long periods = periodNanos > 0 ? generation * rotationNanos / periodNanos : 0;
    return periods + generation;
  }

  /**
   * A time during which only calls change a count.
   *
   * @param end the reading at which the next epoch begins
   * @param number the number of period and generation ends before this epoch
   * @param generation the number of generation ends before this epoch
   * @param activeFrom the number of the first epoch of the active generation
   * @param warmFrom the number of the first epoch of the warm generation
   * @param periodEnd the reading at which the slot or decay interval ends
   * @param rotationEnd the reading at which the generation ends
   */
  record Epoch(
      long end,
      long number,
      long generation,
      long activeFrom,
      long warmFrom,
      long periodEnd,
      long rotationEnd) {

    /** The only epoch of a ring in which nothing depends on time. */
    static final Epoch FOREVER = new Epoch(1, 0, 0, 0, 0, 0, 0);

    /** Returns the number of generations that ended since an epoch: 0, 1, or 2 for 2 and more. */
    int generationsSince(long earlier) {
      return earlier >= activeFrom ? 0 : earlier >= warmFrom ? 1 : 2;
    }

    /** Returns the number of periods that ended since an epoch, or MAX_VALUE for an old one. */
    long periodsSince(long earlier) {
      int generations = generationsSince(earlier);
      return generations == 2 ? Long.MAX_VALUE : number - earlier - generations;
    }
  }
}
