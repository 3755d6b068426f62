package io.heatshield.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One stripe of a sketch: counters that only the holder of its lock writes and that anyone reads.
 */
abstract sealed class SketchStripe permits IntStripe, LongStripe {
  /*
   * state[LOCK]    take: weak CAS, acquire   give: release; all is written between the two
   * state[TOTAL]   write: opaque       read: opaque
   * state[FLAGS]   write: opaque       read: opaque
   * cells[i]       write: opaque       read: opaque by anyone, plain by the holder
   * sweep, from    plain, by the holder alone
   *
   * Nothing is published through a cell, so a reader needs no acquire: whoever knows of a touch by
   * other means has its writes behind him, and opaque keeps a polling reader from reading one value
   * for ever. A reader between two writes of one touch sees some of the key's cells raised; the
   * least of them still counts all earlier touches. Pinned by CountMinSketchStress.ReadAgainstAdd
   * and CountMinSketchLincheckTest.
   *
   * The state lies in the middle of an array of its own, 128 bytes from either end, so that two
   * stripes' locks share neither a cache line nor the pair of lines that hardware fetches together.
   */
  private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int LOCK = 16;
  private static final int TOTAL = 17;
  private static final int FLAGS = 18;
  private static final int STATE_LENGTH = 35;

  private static final int SATURATED = 1;
  private static final int HALVED = 2;

  /** No halving is under way. */
  static final int AT_REST = -1;

  /** Bytes of a stripe's state beside its cells, headers included. */
  static final int STATE_BYTES = 16 + STATE_LENGTH * Long.BYTES + 16 + 48;

  private final int width;
  private final int depth;
  private final boolean conservative;
  private final long[] state = new long[STATE_LENGTH];
  private int sweep = AT_REST;
  private long totalAtSweep;

  SketchStripe(int width, int depth, Update update) {
    this.width = width;
    this.depth = depth;
    this.conservative = update == Update.CONSERVATIVE;
  }

  /** Returns whether the lock was free and is now the caller's. */
  final boolean tryLock() {
    return (long) STATE.getOpaque(state, LOCK) == 0
        && STATE.weakCompareAndSetAcquire(state, LOCK, 0L, 1L);
  }

  final void unlock() {
    STATE.setRelease(state, LOCK, 0L);
  }

  /** Counts touches, by the holder, and returns the stripe's estimate after. */
  final long add(long hash, long n) {
    long total = state[TOTAL] + n;
    STATE.setOpaque(state, TOTAL, total < 0 ? Long.MAX_VALUE : total);
    return conservative && sweep == AT_REST ? raise(hash, n) : addToEach(hash, n);
  }

  final long total() {
    return (long) STATE.getOpaque(state, TOTAL);
  }

  final boolean isSaturated() {
    return (flags() & SATURATED) != 0;
  }

  final boolean isHalved() {
    return (flags() & HALVED) != 0;
  }

  final int sweep() {
    return sweep;
  }

  final long totalAtSweep() {
    return totalAtSweep;
  }

  final int flags() {
    return (int) (long) STATE.getOpaque(state, FLAGS);
  }

  /** Begins a halving, by the holder. */
  final void beginHalving() {
    sweep = 0;
    totalAtSweep = state[TOTAL];
    flag(HALVED);
  }

  /** Halves at most this many more cells, by the holder, and returns how many it halved. */
  final int halveCells(int max) {
    int to = (int) Math.min((long) sweep + max, length());
    for (int i = sweep; i < to; i++) {
      long value = cell(i);
      setCell(i, (value >>> 1) + (value & 1));
    }
    int halved = to - sweep;
    sweep = to;
    if (sweep == length()) {
      sweep = AT_REST;
      STATE.setOpaque(state, TOTAL, state[TOTAL] - (totalAtSweep >>> 1));
    }
    return halved;
  }

  /** Forgets everything, by the holder. */
  final void clear() {
    for (int i = 0; i < length(); i++) {
      setCell(i, 0);
    }
    STATE.setOpaque(state, TOTAL, 0L);
    STATE.setOpaque(state, FLAGS, 0L);
    sweep = AT_REST;
  }

  /** Adds to a cell, by the holder, up to the ceiling. */
  final void addToCell(int i, long n) {
    setCell(i, capped(cell(i), n));
  }

  /** Adds what another sketch counted in all, by the holder; its cells are added one by one. */
  final void absorb(long total, boolean saturated, boolean halved) {
    long sum = state[TOTAL] + total;
    STATE.setOpaque(state, TOTAL, sum < 0 ? Long.MAX_VALUE : sum);
    if (saturated) {
      flag(SATURATED);
    }
    if (halved) {
      flag(HALVED);
    }
  }

  /** Takes over a stored state, by the holder. */
  final void restore(long total, int flags, int sweep, long totalAtSweep) {
    STATE.setOpaque(state, TOTAL, total);
    STATE.setOpaque(state, FLAGS, (long) flags);
    this.sweep = sweep;
    this.totalAtSweep = totalAtSweep;
  }

  /** Returns the least of the key's cells; any thread may ask. */
  final long estimate(long hash) {
    long least = ceiling();
    for (int row = 0; row < depth; row++) {
      least = Math.min(least, cell(index(hash, row)));
    }
    return least;
  }

  /** Returns a cell; any thread may ask. */
  abstract long cell(int i);

  /** Writes a cell, by the holder. */
  abstract void setCell(int i, long value);

  /** Returns the number of cells. */
  abstract int length();

  /** Returns where a cell stops. */
  abstract long ceiling();

  /** Raises the cells below the new estimate to it, and returns it. */
  private long raise(long hash, long n) {
    long to = capped(estimate(hash), n);
    for (int row = 0; row < depth; row++) {
      int i = index(hash, row);
      if (cell(i) < to) {
        setCell(i, to);
      }
    }
    return to;
  }

  private long addToEach(long hash, long n) {
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      int i = index(hash, row);
      long value = capped(cell(i), n);
      setCell(i, value);
      least = Math.min(least, value);
    }
    return least;
  }

  private int index(long hash, int row) {
    return row * width + Rows.position(hash, row, width);
  }

  /** Returns the sum, or the ceiling, of which it takes note. */
  private long capped(long value, long n) {
    long ceiling = ceiling();
    if (n < ceiling - value) {
      return value + n;
    }
    flag(SATURATED);
    return ceiling;
  }

  private void flag(int flag) {
    STATE.setOpaque(state, FLAGS, state[FLAGS] | flag);
  }
}
