package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import io.heatshield.time.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One key of a ring and its count.
 *
 * <p>An entry belongs to the epoch it was last brought to. Whoever needs it in a later epoch first
 * advances it.
 */
abstract sealed class Entry permits GenerationEntry, WindowEntry {
  /*
   * state   [advances 8 | dead 1 | locked 1 | total 54]
   *
   *   raise   getAndAdd(1)         admit    weak CAS, volatile      kill   CAS, sets DEAD
   *   lock    CAS, sets LOCKED     unlock   weak CAS, volatile: subtracts what lapsed, clears LOCKED, adds an advance,
   *                                         admits
   * epoch   read: acquire          write: release, only while locked, after everything else that an advance changes
   *
   * The state word alone decides. A raise that finds DEAD in the word it replaced has not counted,
   * and its caller looks for the key again: a touch is before or after a remove, never lost in
   * between. The count of a removed entry is that of the state which the kill replaced: late raises
   * still change the word of a dead entry. A raise that lands while the entry is locked stays in
   * the total, since unlocking subtracts from what is there. The number of advances keeps an admit
   * from succeeding on a total that means something else after an advance. 54 bits last one key for
   * five years at a hundred million touches per second. Whoever locks an entry only moves its own
   * numbers and always unlocks, so every wait ends. A reader that finds the same epoch before and
   * after, and the entry unlocked, has read one state. Pinned by HotRingLincheckTest and
   * HotRingStress; see ADR-0011.
   */
  static final long TOTAL = (1L << 54) - 1;
  static final long LOCKED = 1L << 54;
  static final long DEAD = 1L << 55;
  private static final long ADVANCE = 1L << 56;

  /** The answer of an entry that has left the ring. */
  static final long GONE = Long.MIN_VALUE;

  private static final VarHandle STATE;
  private static final VarHandle EPOCH;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Entry.class, "state", long.class);
      EPOCH = MethodHandles.lookup().findVarHandle(Entry.class, "epoch", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long hash;
  final byte[] key;
  final byte scope;
  private volatile long state;
  private long epoch;

  /** Whether a read, and no touch, brought it into its generation; written while locked. */
  private boolean idle;

  Entry(long hash, byte scope, byte[] key, long epoch) {
    this.hash = hash;
    this.scope = scope;
    this.key = key;
    this.epoch = epoch;
  }

  /** Counts one touch and returns the new count, or {@link #GONE}. */
  final long raise() {
    long before = (long) STATE.getAndAdd(this, 1L);
    return (before & DEAD) != 0 ? GONE : larger((before & TOTAL) + 1);
  }

  /**
   * Counts one touch if the count is below the limit. Returns the new count; or the complement of
   * the count at which it stays; or {@link #GONE}.
   */
  final long admit(long limit) {
    for (int spins = 0; ; spins++) {
      long s = state;
      if ((s & DEAD) != 0) {
        return GONE;
      }
      if ((s & LOCKED) != 0) {
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
    return count(unlockedState());
  }

  final long count(long s) {
    return (s & DEAD) != 0 ? 0 : larger(s & TOTAL);
  }

  /** Returns the sum of both generations' counts; 0 of a dead entry. */
  final long sum() {
    return sum(unlockedState());
  }

  final long sum(long s) {
    return (s & DEAD) != 0 ? 0 : (s & TOTAL) + warm();
  }

  final boolean isDead() {
    return (state & DEAD) != 0;
  }

  /** Marks the entry as gone and returns its last state, or {@link #GONE} if it was gone. */
  final long kill() {
    for (; ; ) {
      long s = unlockedState();
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
    return (expected & (DEAD | LOCKED)) == 0
        && STATE.compareAndSet(this, expected, expected | DEAD);
  }

  /** Waits until the entry is unlocked, and returns its state. */
  final long unlockedState() {
    for (int spins = 0; ; spins++) {
      long s = state;
      if ((s & LOCKED) == 0) {
        return s;
      }
      SpinWait.pause(spins);
    }
  }

  /** Locks a live entry and returns its state before, or {@link #DEAD}. */
  final long lock() {
    for (; ; ) {
      long s = unlockedState();
      if ((s & DEAD) != 0) {
        return DEAD;
      }
      if (STATE.compareAndSet(this, s, s | LOCKED)) {
        return s;
      }
    }
  }

  /** Unlocks, takes {@code lapsed} touches out of the total, and then answers as an admit. */
  final long unlock(long lapsed, long limit) {
    for (; ; ) {
      long s = state;
      long total = (s & TOTAL) - lapsed;
      long count = larger(total);
      long one = count < limit ? 1 : 0;
      if (STATE.weakCompareAndSet(this, s, s + ADVANCE - LOCKED - lapsed + one)) {
        return one == 0 ? ~count : larger(total + 1);
      }
    }
  }

  final long epoch() {
    return (long) EPOCH.getAcquire(this);
  }

  /** Returns whether the entry is of an earlier epoch. */
  final boolean isBehind(Epoch now) {
    return epoch() < now.number();
  }

  /** Returns whether a touch must advance the entry, to bring it to the epoch or to activate it. */
  final boolean mustAdvance(Epoch now) {
    return isBehind(now) || idle;
  }

  /** Returns whether the entry counts towards the active generation's capacity. */
  final boolean isActive(Epoch now) {
    return epoch() >= now.activeFrom() && !idle;
  }

  /**
   * Brings the entry to an epoch, and then answers as {@link #admit} does: one touch counts if the
   * count is below the limit, so none under a limit of 0.
   */
  final long advance(EntryTable table, Epoch now, long limit) {
    long s = lock();
    if (s == DEAD) {
      return GONE;
    }
    long total = s & TOTAL;
    long left = total;
    long lapsed = 0;
    long count = 0;
    long answer;
    try {
      long from = epoch;
      if (from < now.number()) {
        long all = total + warm();
        left = move(total, table.clock, now);
        lapsed = all - left - warm();
        count = larger(left);
        idle |= from < now.activeFrom();
        EPOCH.setRelease(this, now.number());
      }
      if (idle && (limit > 0 || this instanceof WindowEntry)) {
        idle = false;
        table.capacity.carryOver(now);
      }
    } finally {
      answer = unlock(total - left, limit);
    }
    table.onAdvanced(this, count, lapsed);
    return answer;
  }

  /** Returns the larger of the total and the warm generation's count. */
  final long larger(long total) {
    return Math.max(total, warm());
  }

  /** Returns the count of the warm generation, if it is not part of the total. */
  abstract long warm();

  /** Moves what the entry keeps beside its total, and returns what is left of the total. */
  abstract long move(long total, WindowClock clock, Epoch now);

  /** Returns whether nothing that this entry ever counted counts any longer. */
  abstract boolean hasExpired(WindowClock clock, Epoch now);

  /** Returns how long until the count is below the limit, or {@link Clamp#NEVER}. */
  abstract long roomNanos(long limit, WindowClock clock, long nanos);
}
