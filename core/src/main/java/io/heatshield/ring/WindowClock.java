package io.heatshield.ring;

import io.heatshield.time.Ticker;

/**
 * Turns a ring's ticker into epochs: stretches of time in which no count changes by itself.
 *
 * <p>An epoch ends when a window slot, a decay interval or a generation ends. Epochs never go back:
 * a thread whose reading is older than the newest epoch gets that epoch.
 */
final class WindowClock {
  private final Ticker ticker;
  private final long origin;
  private final long periodNanos;
  private final long rotationNanos;
  private final int slots;
  private final int shift;
  private final boolean timed;
  private volatile Epoch epoch;

  WindowClock(RingConfig config, Ticker ticker) {
    this.ticker = ticker;
    periodNanos = config.periodNanos();
    rotationNanos = config.rotationNanos();
    slots = config.slots();
    shift = config.decayShift();
    timed = periodNanos > 0 || rotationNanos > 0;
    origin = timed ? ticker.nanos() : 0;
    epoch = timed ? epochAt(0) : Epoch.FOREVER;
  }

  /** Returns the ticker's reading, or 0 if nothing in this ring depends on time. */
  long nanos() {
    return timed ? ticker.nanos() : 0;
  }

  /** Returns the epoch of a reading. */
  Epoch at(long now) {
    Epoch e = epoch;
    return now - e.end() < 0 ? e : advance(now);
  }

  /** Returns the present epoch. */
  Epoch now() {
    return at(nanos());
  }

  /** Returns whether anything in this ring depends on time. */
  boolean isTimed() {
    return timed;
  }

  /** Returns the ticker's reading even if nothing depends on it: for snapshots. */
  long reading() {
    return ticker.nanos();
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
    return intervals >= Long.SIZE || intervals * shift >= Long.SIZE
        ? 0
        : count >>> (int) (intervals * shift);
  }

  private synchronized Epoch advance(long now) {
    Epoch e = epoch;
    if (timed && now - e.end() >= 0) {
      e = epochAt(now - origin);
      epoch = e;
    }
    return e;
  }

  private Epoch epochAt(long elapsed) {
    long periods = periodNanos > 0 ? elapsed / periodNanos : 0;
    long generation = rotationNanos > 0 ? elapsed / rotationNanos : 0;
    long periodEnd = origin + (periods + 1) * periodNanos;
    long rotationEnd = origin + (generation + 1) * rotationNanos;
    boolean periodFirst = rotationNanos == 0 || (periodNanos > 0 && periodEnd - rotationEnd < 0);
    return new Epoch(
        periodFirst ? periodEnd : rotationEnd,
        periods + generation,
        generation,
        firstOf(generation),
        firstOf(Math.max(generation - 1, 0)),
        periodEnd,
        rotationEnd);
  }

  private long firstOf(long generation) {
    long periods = periodNanos > 0 ? generation * rotationNanos / periodNanos : 0;
    return periods + generation;
  }

  /**
   * A stretch of time in which no count of a ring changes by itself.
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

    /** The one epoch of a ring without time, whose readings are 0. */
    static final Epoch FOREVER = new Epoch(1, 0, 0, 0, 0, 0, 0);

    /** Returns how many generations ended since an epoch: 0, 1 or, for anything more, 2. */
    int generationsSince(long then) {
      return then >= activeFrom ? 0 : then >= warmFrom ? 1 : 2;
    }

    /** Returns how many periods ended since an epoch; of an old one, more than any window has. */
    long periodsSince(long then) {
      int generations = generationsSince(then);
      return generations == 2 ? Long.MAX_VALUE : number - then - generations;
    }
  }
}
