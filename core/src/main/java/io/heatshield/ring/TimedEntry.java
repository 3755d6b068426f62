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
  private boolean inherits;

  /** Whether a look, and no touch, has brought it to its beat's generation; written while held. */
  private boolean idle;

  TimedEntry(long hash, byte scope, byte[] key, long beat) {
    super(hash, scope, key);
    this.beat = beat;
  }

  final long beat() {
    return (long) BEAT.getAcquire(this);
  }

  /** Returns whether time has passed this entry by, so that it needs a turn. */
  final boolean isBehind(Moment moment) {
    return beat() < moment.beat();
  }

  /** Returns whether a touch needs a turn: to move it on, or to give it its place. */
  final boolean mustTurn(Moment moment) {
    return isBehind(moment) || idle;
  }

  @Override
  final boolean isActive(Moment moment) {
    return beat() >= moment.activeFrom() && !idle;
  }

  /**
   * Brings the entry to a moment, and then answers as {@link #admit} does: one touch counts if that
   * leaves the count below the limit, so none under a limit of 0.
   */
  final long turn(KeyTable table, Moment moment, long limit) {
    long s = hold();
    if (s == DEAD) {
      return GONE;
    }
    long total = s & TOTAL;
    long left = total;
    long gone = 0;
    long count = 0;
    long answer;
    try {
      long from = beat;
      if (from < moment.beat()) {
        long all = total + beside();
        left = move(total, table.beats, moment);
        gone = all - left - beside();
        count = larger(left);
        idle |= from < moment.activeFrom();
        BEAT.setRelease(this, moment.beat());
      }
      if (idle && (limit > 0 || this instanceof WindowEntry)) {
        idle = false;
        table.places.arrive(moment);
      }
    } finally {
      answer = letGo(total - left, limit);
    }
    table.turned(this, count, gone);
    return answer;
  }

  /**
   * Takes over touches that were noted, instead of being born with one; nobody else has seen it.
   */
  final void inherits(int touches, Moment moment) {
    inherits = true;
    beat = moment.beat();
    bornWith(touches);
  }

  @Override
  final boolean inherits() {
    return inherits;
  }

  /** Moves what the entry keeps beside its total, and returns what is left of the total. */
  abstract long move(long total, Beats beats, Moment moment);
}
