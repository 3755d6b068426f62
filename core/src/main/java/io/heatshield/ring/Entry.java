package io.heatshield.ring;

import io.heatshield.time.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One key of a ring and its count. */
abstract sealed class Entry permits PlainEntry, TimedEntry {
  /*
   * state   [turns 8 | dead 1 | held 1 | total 54]
   *
   *   raise   getAndAdd(1)         admit   weak CAS, volatile       kill   CAS, sets DEAD
   *   hold    CAS, sets HELD       let go  weak CAS, volatile: takes away what lapsed, clears HELD, adds a turn, admits
   *
   * Everything that decides is in this one word. A raise that finds DEAD in the word it replaced has not counted, and
   * its caller looks for the key again: a touch is before or after a remove, never lost in between. What was removed is
   * told by the state that the kill replaced: the word of a dead entry goes on growing by touches that came too late. A raise that lands
   * while the entry is held stays in the total, since letting go subtracts from what is there. The turns keep an admit
   * from succeeding on a total that means something else after a turn. 54 bits last one key for five years at a
   * hundred million touches per second. Whoever holds an entry moves its own numbers and lets go in any case, so every
   * wait for it ends. Pinned by HotRingLincheckTest and the HotRing*Stress tests; see ADR-0011.
   */
  static final long TOTAL = (1L << 54) - 1;
  static final long HELD = 1L << 54;
  static final long DEAD = 1L << 55;
  static final long TURN = 1L << 56;

  /** The answer of an entry that has left the ring. */
  static final long GONE = Long.MIN_VALUE;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Entry.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long hash;
  final byte[] key;
  final byte scope;

  /** Born with the touch that brings the key in, so that no entry is ever there without one. */
  private volatile long state = 1;

  Entry(long hash, byte scope, byte[] key) {
    this.hash = hash;
    this.scope = scope;
    this.key = key;
  }

  /** Sets the touches that the entry begins with; before anybody else sees it. */
  final void bornWith(long touches) {
    STATE.set(this, touches);
  }

  /**
   * Counts one touch and returns the new total, or {@link #GONE}. Nothing of the entry is read
   * before: two threads on one key then pass its line on once for each touch.
   */
  final long raise() {
    long before = (long) STATE.getAndAdd(this, 1L);
    return (before & DEAD) != 0 ? GONE : (before & TOTAL) + 1;
  }

  /**
   * Counts one touch if the count is below the limit. Returns the new count; or the complement of
   * the count at which it stays; or {@link #GONE}.
   */
  final long admit(long limit) {
    for (int spins = 0; ; spins++) {
      long s = state;
      if ((s & (DEAD | HELD)) != 0) {
        if ((s & DEAD) != 0) {
          return GONE;
        }
        SpinWait.pause(spins);
        continue;
      }
      long total = s & TOTAL;
      long count = larger(total);
      if (count >= limit) {
        return ~count;
      }
      if (STATE.weakCompareAndSet(this, s, s + 1)) {
        return larger(total + 1);
      }
    }
  }

  /** Returns the state word, for {@link #count(long)} and {@link #kill(long)}. */
  final long state() {
    return state;
  }

  /** Returns the count: the larger of the active and the warm generation's; 0 of a dead entry. */
  final long count() {
    return count(quietState());
  }

  final long count(long s) {
    return (s & DEAD) != 0 ? 0 : larger(s & TOTAL);
  }

  /** Returns the sum of both generations' counts; 0 of a dead entry. */
  final long sum() {
    return sum(quietState());
  }

  final long sum(long s) {
    return (s & DEAD) != 0 ? 0 : (s & TOTAL) + beside();
  }

  final boolean isDead() {
    return (state & DEAD) != 0;
  }

  /** Marks the entry as gone and returns its last state, or {@link #GONE} if it was gone. */
  final long kill() {
    for (; ; ) {
      long s = quietState();
      if ((s & DEAD) != 0) {
        return GONE;
      }
      if (kill(s)) {
        return s;
      }
    }
  }

  /** Marks the entry as gone if its state is still the one given. */
  final boolean kill(long expected) {
    return (expected & (DEAD | HELD)) == 0 && STATE.compareAndSet(this, expected, expected | DEAD);
  }

  /** Waits until nobody holds the entry, and returns its state. */
  final long quietState() {
    for (int spins = 0; ; spins++) {
      long s = state;
      if ((s & HELD) == 0) {
        return s;
      }
      SpinWait.pause(spins);
    }
  }

  /** Holds a live entry for a turn and returns its state before, or {@link #DEAD}. */
  final long hold() {
    for (int spins = 0; ; spins++) {
      long s = state;
      if ((s & DEAD) != 0) {
        return DEAD;
      }
      if ((s & HELD) == 0 && STATE.compareAndSet(this, s, s | HELD)) {
        return s;
      }
      SpinWait.pause(spins);
    }
  }

  /** Ends a hold, takes {@code lapsed} touches out of the total, and answers as an admit then. */
  final long letGo(long lapsed, long limit) {
    for (; ; ) {
      long s = state;
      long total = (s & TOTAL) - lapsed;
      long count = larger(total);
      long one = count < limit ? 1 : 0;
      if (STATE.weakCompareAndSet(this, s, s + TURN - HELD - lapsed + one)) {
        return one == 0 ? ~count : larger(total + 1);
      }
    }
  }

  /** Returns whether the one touch that it was born with is an earlier one. */
  boolean inherits() {
    return false;
  }

  /** Returns whether nothing that this entry ever counted counts any longer. */
  abstract boolean hasRunOut(Beats beats, Moment moment);

  /** Returns whether the entry belongs to the active generation. */
  abstract boolean isActive(Moment moment);

  /** Returns how long until the count is below the limit, or {@link Clamp#NEVER}. */
  abstract long roomNanos(long limit, Beats beats, Moment moment, long now);

  /**
   * Returns the larger of the total and what stands beside it; every touch asks, so no override.
   */
  final long larger(long total) {
    return this instanceof AgedEntry aged ? Math.max(total, aged.beside()) : total;
  }

  /** Returns the count of the warm generation, if it is kept apart from the total. */
  abstract long beside();
}
