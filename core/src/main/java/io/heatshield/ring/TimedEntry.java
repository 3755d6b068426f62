package io.heatshield.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** An entry that ages: it is turned, by whoever needs it, when the ring's beat has moved on. */
abstract sealed class TimedEntry extends Entry permits AgedEntry, WindowEntry {
  /*
   * beat   read: acquire   write: release, only while held
   *
   * The beat never goes back and is written after everything else that a turn changes. A reader that finds the same
   * beat before and after, and nobody holding the entry, has read one state.
   */
  private static final VarHandle BEAT;

  static {
    try {
      BEAT = MethodHandles.lookup().findVarHandle(TimedEntry.class, "beat", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long beat;

  TimedEntry(long hash, byte scope, byte[] key, long beat) {
    super(hash, scope, key);
    this.beat = beat;
  }

  final long beat() {
    return (long) BEAT.getAcquire(this);
  }

  @Override
  final boolean isBehind(Moment moment) {
    return beat() < moment.beat();
  }

  @Override
  final boolean isActive(Moment moment) {
    return beat() >= moment.activeFrom();
  }

  /**
   * Brings the entry to a moment. Returns how many touches lapsed, or -1 if there was nothing to do
   * because another thread was first.
   */
  final long turn(Beats beats, Moment moment, Places places) {
    long s = hold();
    if (s == DEAD) {
      return -1;
    }
    long total = s & TOTAL;
    long left = total;
    long from = beat;
    long before = beside();
    try {
      if (from >= moment.beat()) {
        return -1;
      }
      left = move(total, beats, moment);
      BEAT.setRelease(this, moment.beat());
      if (from < moment.activeFrom()) {
        places.arrive(moment);
      }
      return total + before - left - beside();
    } finally {
      letGo(total - left);
    }
  }

  /** Moves what the entry keeps beside its total, and returns what is left of the total. */
  abstract long move(long total, Beats beats, Moment moment);
}
