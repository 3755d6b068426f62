package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import io.heatshield.time.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A key of a ring and its count.
 *
 * <p>An entry has the epoch to which it was last advanced. A caller that uses it in a later epoch
 * advances it first. An entry that was removed from the ring is dead, and stays dead.
 */
abstract sealed class Entry permits GenerationEntry, WindowEntry {
  /*
   * state   [advances 8 | dead 1 | locked 1 | total 54]
   *
   *   increment        getAndAdd(1)
   *   incrementBelow   weak CAS, volatile
   *   markDead         CAS: sets DEAD
   *   lock             CAS: sets LOCKED
   *   unlock           weak CAS, volatile: subtracts expired touches, clears LOCKED, counts the
   *                    advance and, below the limit, the touch that caused it
   *
   * epoch       read: acquire   write: release, while locked, after the counts that an advance
   *                             changes
   * untouched   read: plain, after the epoch or the state   write: plain, while locked
   *
   * Every decision depends on the state alone.
   *
   * - An increment that finds DEAD in the state before it has not counted, and its caller looks up
   *   the key again. So a touch takes effect before or after a remove and is never lost. The count
   *   of a removed entry is that of the state that markDead replaced: later increments still change
   *   the state of a dead entry.
   * - An increment of a locked entry stays in the total, because unlock subtracts from the current
   *   total.
   * - The number of advances makes incrementBelow fail if the entry was advanced since the total
   *   was read, even if the total is the same again.
   * - A thread that has locked an entry only changes fields of the entry and always unlocks it, so
   *   every wait ends.
   *
   * At a hundred million touches per second, one key fills the 54 bits after five years. Pinned by
   * EntryTest, HotRingLincheckTest and HotRingStress; see ADR-0011.
   */
  static final long TOTAL = (1L << 54) - 1;
  static final long LOCKED = 1L << 54;
  static final long DEAD = 1L << 55;
  private static final long ADVANCE = 1L << 56;

  /** The result of counting a touch of a dead entry. */
  static final long WAS_DEAD = Long.MIN_VALUE;

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

  /** True if a read brought the entry into its generation and no touch has followed. */
  private boolean untouched;

  Entry(long hash, byte scope, byte[] key, long epoch) {
    this.hash = hash;
    this.scope = scope;
    this.key = key;
    this.epoch = epoch;
  }

  /** Counts one touch. Returns the new count, or {@link #WAS_DEAD}. */
  final long increment() {
    long before = (long) STATE.getAndAdd(this, 1L);
    return (before & DEAD) != 0 ? WAS_DEAD : maxWithWarm((before & TOTAL) + 1);
  }

  /**
   * Counts one touch if the count is below the limit. Returns the new count; or the complement of
   * the unchanged count; or {@link #WAS_DEAD}.
   */
  final long incrementBelow(long limit) {
    for (int spins = 0; ; spins++) {
      long current = state;
      if ((current & DEAD) != 0) {
        return WAS_DEAD;
      }
      if ((current & LOCKED) != 0) {
        SpinWait.pause(spins);
        continue;
      }
      long total = current & TOTAL;
      long count = maxWithWarm(total);
      if (count >= limit) {
        return ~count;
      }
      if (STATE.weakCompareAndSet(this, current, current + 1)) {
        return maxWithWarm(total + 1);
      }
    }
  }

  /** Returns the state, for {@link #count(long)} and {@link #markDead(long)}. */
  final long state() {
    return state;
  }

  /** Returns the count: the larger one of both generations; 0 if the entry is dead. */
  final long count() {
    return count(unlockedState());
  }

  final long count(long state) {
    return (state & DEAD) != 0 ? 0 : maxWithWarm(state & TOTAL);
  }

  /** Returns the sum of the counts of both generations; 0 if the entry is dead. */
  final long sum() {
    return sum(unlockedState());
  }

  final long sum(long state) {
    return (state & DEAD) != 0 ? 0 : (state & TOTAL) + warmCount();
  }

  final boolean isDead() {
    return (state & DEAD) != 0;
  }

  /**
   * Marks the entry as dead. Returns the state before, which has DEAD set if it was dead already.
   */
  final long markDead() {
    for (; ; ) {
      long current = unlockedState();
      if ((current & DEAD) != 0 || markDead(current)) {
        return current;
      }
    }
  }

  /** Marks a live entry as dead if its state is still the expected one. */
  final boolean markDead(long expected) {
    return (expected & (DEAD | LOCKED)) == 0
        && STATE.compareAndSet(this, expected, expected | DEAD);
  }

  /** Waits until the entry is unlocked, and returns its state. */
  final long unlockedState() {
    for (int spins = 0; ; spins++) {
      long current = state;
      if ((current & LOCKED) == 0) {
        return current;
      }
      SpinWait.pause(spins);
    }
  }

  /** Locks the entry unless it is dead. Returns the state before, which has DEAD set if it is. */
  final long lock() {
    for (; ; ) {
      long current = unlockedState();
      if ((current & DEAD) != 0 || STATE.compareAndSet(this, current, current | LOCKED)) {
        return current;
      }
    }
  }

  /**
   * Subtracts expired touches from the total and unlocks the entry. In the same step, counts one
   * touch if the count is below the limit; returns what {@link #incrementBelow} returns.
   */
  final long unlock(long expired, long limit) {
    for (; ; ) {
      long current = state;
      long total = (current & TOTAL) - expired;
      long count = maxWithWarm(total);
      long touch = count < limit ? 1 : 0;
      if (STATE.weakCompareAndSet(this, current, current + ADVANCE - LOCKED - expired + touch)) {
        return touch == 0 ? ~count : maxWithWarm(total + 1);
      }
    }
  }

  final long epoch() {
    return (long) EPOCH.getAcquire(this);
  }

  /** Returns whether the entry's epoch is before the given one. */
  final boolean isBehind(Epoch now) {
    return epoch() < now.number();
  }

  /** Returns whether a touch must advance the entry instead of incrementing its count. */
  final boolean mustAdvance(Epoch now) {
    return isBehind(now) || untouched;
  }

  /** Returns whether the entry counts towards the active generation's maximum. */
  final boolean isActive(Epoch now) {
    return epoch() >= now.activeFrom() && !untouched;
  }

  /**
   * Advances the entry to an epoch, then counts one touch if the count is below the limit; a limit
   * of 0 counts none. Returns what {@link #incrementBelow} returns.
   */
  final long advance(EntryTable table, Epoch now, long limit) {
    long before = lock();
    if ((before & DEAD) != 0) {
      return WAS_DEAD;
    }
    long total = before & TOTAL;
    long remaining = total;
    long expired = 0;
    long result;
    try {
      long from = epoch;
      if (from < now.number()) {
        long sum = total + warmCount();
        remaining = age(total, table.clock, now);
        expired = sum - remaining - warmCount();
        untouched |= from < now.activeFrom();
        EPOCH.setRelease(this, now.number());
      }
      // With a window, a read also keeps an entry in the active generation.
      if (untouched && (limit > 0 || this instanceof WindowEntry)) {
        untouched = false;
        table.capacity.moveToActive(now);
      }
    } finally {
      result = unlock(total - remaining, limit);
    }
    table.onAdvanced(expired);
    return result;
  }

  /** Returns the larger one of the total and the warm generation's count. */
  final long maxWithWarm(long total) {
    return Math.max(total, warmCount());
  }

  /** Returns the warm generation's count; 0 if the total includes it. */
  abstract long warmCount();

  /** Ages all counts from the entry's epoch to a later one, and returns the new total. */
  abstract long age(long total, WindowClock clock, Epoch now);

  /** Returns whether all touches of this entry have expired. */
  abstract boolean hasExpired(WindowClock clock, Epoch now);

  /** Returns the time until the count is below the limit, or {@link EntryTable#NEVER_NANOS}. */
  abstract long waitNanos(long limit, WindowClock clock, long nanos);
}
