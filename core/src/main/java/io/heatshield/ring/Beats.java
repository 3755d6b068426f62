package io.heatshield.ring;

import io.heatshield.time.Ticker;

/**
 * The time of a ring: slots or decay intervals, and generations, counted from the ring's start.
 *
 * <p>Time here never goes back: a thread whose reading is older than the newest moment gets that
 * moment. Divisions are paid once per moment and not by touches.
 */
final class Beats {
  private final Ticker ticker;
  private final long origin;
  private final long periodNanos;
  private final long rotationNanos;
  private final int slots;
  private final int shift;
  private final boolean timed;
  private volatile Moment moment;

  Beats(RingConfig config, Ticker ticker) {
    this.ticker = ticker;
    periodNanos = config.periodNanos();
    rotationNanos = config.rotationNanos();
    slots = config.slots();
    shift = config.decayShift();
    timed = periodNanos > 0 || rotationNanos > 0;
    origin = timed ? ticker.nanos() : 0;
    moment = timed ? momentAt(0) : Moment.FOREVER;
  }

  /** Returns the ticker's reading, or 0 if this ring has no use for time. */
  long nanos() {
    return timed ? ticker.nanos() : 0;
  }

  /** Returns the moment of a reading. */
  Moment at(long now) {
    Moment m = moment;
    return now - m.end() < 0 ? m : advance(now);
  }

  /** Returns the present moment. */
  Moment now() {
    return at(nanos());
  }

  /** Returns whether anything in this ring depends on time. */
  boolean isTimed() {
    return timed;
  }

  /** Returns the ticker's reading even if the ring has no use for it: for snapshots. */
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

  boolean rotates() {
    return rotationNanos > 0;
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

  /** Returns the kind of entry that this time asks for. */
  Entry entry(long hash, byte scope, byte[] key, Moment now) {
    if (!timed) {
      return new PlainEntry(hash, scope, key);
    }
    return slots > 0
        ? new WindowEntry(hash, scope, key, now.beat(), slots)
        : new AgedEntry(hash, scope, key, now.beat());
  }

  private synchronized Moment advance(long now) {
    Moment m = moment;
    if (timed && now - m.end() >= 0) {
      m = momentAt(now - origin);
      moment = m;
    }
    return m;
  }

  private Moment momentAt(long elapsed) {
    long periods = periodNanos > 0 ? elapsed / periodNanos : 0;
    long generation = rotationNanos > 0 ? elapsed / rotationNanos : 0;
    long periodEnd = origin + (periods + 1) * periodNanos;
    long rotationEnd = origin + (generation + 1) * rotationNanos;
    boolean periodFirst = rotationNanos == 0 || (periodNanos > 0 && periodEnd - rotationEnd < 0);
    return new Moment(
        periodFirst ? periodEnd : rotationEnd,
        periods + generation,
        generation,
        firstBeat(generation),
        firstBeat(Math.max(generation - 1, 0)),
        periodEnd,
        rotationEnd);
  }

  private long firstBeat(long generation) {
    long periods = periodNanos > 0 ? generation * rotationNanos / periodNanos : 0;
    return periods + generation;
  }
}
