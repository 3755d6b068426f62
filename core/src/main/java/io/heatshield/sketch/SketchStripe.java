package io.heatshield.sketch;

import io.heatshield.count.Rows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One stripe of a sketch: counters that only the holder of its lock writes and any thread reads.
 */
abstract sealed class SketchStripe permits IntStripe, LongStripe {
  /*
   * state[LOCK]    lock: weak CAS, acquire   unlock: release; everything is written in between
   * state[TOTAL]   write: opaque       read: opaque
   * state[FLAGS]   write: opaque       read: opaque
   * cells[i]       write: opaque       read: opaque
   * sweep, totalAtSweep                plain, by the holder of the lock only
   *
   * Nothing is published through a cell, so a reader needs no acquire: a thread that knows of a
   * touch by other means sees its writes, and opaque keeps a polling reader from reading one value
   * forever. A reader between two writes of one touch sees some of the key's cells raised; the
   * least of them still includes all earlier touches. Pinned by
   * CountMinSketchStress.ReadAgainstAdd and CountMinSketchLincheckTest.
   *
   * The state is in the middle of a separate array, 128 bytes from either end, so that the locks of
   * two stripes share neither a cache line nor the pair of lines that hardware fetches together.
   *
   * Four rows, the default, are raised without a loop and without a branch: which row is the least
   * and which rows are raised is unpredictable, and mispredicted branches cost as much as the rest
   * of an add (ADR-0083).
   */
  private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int LOCK = 16;
  private static final int TOTAL = 17;
  private static final int FLAGS = 18;
  private static final int STATE_LENGTH = 35;

  private static final int SATURATED = 1;
  private static final int HALVED = 2;

  /** The value of {@code sweep} between two halvings. */
  static final int AT_REST = -1;

  /** The bytes of a stripe without its cells, including object headers. */
  static final int STATE_BYTES = 16 + STATE_LENGTH * Long.BYTES + 16 + 48;

  final int width;
  final int depth;
  private final long[] state = new long[STATE_LENGTH];
  private int sweep = AT_REST;
  private long totalAtSweep;

  SketchStripe(int width, int depth) {
    this.width = width;
    this.depth = depth;
  }

  /** Takes the lock if it is free. */
  final boolean tryLock() {
    return (long) STATE.getOpaque(state, LOCK) == 0
        && STATE.weakCompareAndSetAcquire(state, LOCK, 0L, 1L);
  }

  final void unlock() {
    STATE.setRelease(state, LOCK, 0L);
  }

  /** Adds touches; by the holder. */
  final void add(long hash, long n) {
    long total = state[TOTAL] + n;
    STATE.setOpaque(state, TOTAL, total < 0 ? Long.MAX_VALUE : total);
    if (sweep == AT_REST) {
      raise(hash, n);
    } else {
      addToEach(hash, n);
    }
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

  /** Begins a halving; by the holder. */
  final void beginHalving() {
    sweep = 0;
    totalAtSweep = state[TOTAL];
    flag(HALVED);
  }

  /** Halves at most {@code max} more cells and returns the number of them; by the holder. */
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

  /** Clears all counts; by the holder. */
  final void clear() {
    for (int i = 0; i < length(); i++) {
      setCell(i, 0);
    }
    STATE.setOpaque(state, TOTAL, 0L);
    STATE.setOpaque(state, FLAGS, 0L);
    sweep = AT_REST;
  }

  /** Adds to a cell, up to the ceiling; by the holder. */
  final void addToCell(int i, long n) {
    setCell(i, capped(cell(i), n));
  }

  /** Adds the total and the flags of another sketch, without its cells; by the holder. */
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

  /** Sets the state to a stored one; by the holder. */
  final void restore(long total, int flags, int sweep, long totalAtSweep) {
    STATE.setOpaque(state, TOTAL, total);
    STATE.setOpaque(state, FLAGS, (long) flags);
    this.sweep = sweep;
    this.totalAtSweep = totalAtSweep;
  }

  /** Returns a copy, with this many of the cells or more; by the holder. */
  final SketchStripe copy(int cells) {
    SketchStripe copy = copyCells(cells);
    copy.restore(state[TOTAL], flags(), sweep, totalAtSweep);
    return copy;
  }

  /** Returns the least of the key's cells; by any thread. */
  final long estimate(long hash) {
    long least = ceiling();
    for (int row = 0; row < depth; row++) {
      least = Math.min(least, cell(index(hash, row)));
    }
    return least;
  }

  /** Returns a stripe with copies of the cells, and further ones if there are fewer. */
  abstract SketchStripe copyCells(int length);

  /** Returns a cell; by any thread. */
  abstract long cell(int i);

  /** Writes a cell; by the holder. */
  abstract void setCell(int i, long value);

  /** Returns the number of cells. */
  abstract int length();

  /** Returns the highest value of a cell. */
  abstract long ceiling();

  /** Raises the cells below the new estimate to it. */
  private void raise(long hash, long n) {
    if (depth == 4) {
      raiseFour(hash, n);
      return;
    }
    long to = capped(estimate(hash), n);
    for (int row = 0; row < depth; row++) {
      int i = index(hash, row);
      setCell(i, Math.max(cell(i), to));
    }
  }

  private void raiseFour(long hash, long n) {
    int i0 = index(hash, 0);
    int i1 = index(hash, 1);
    int i2 = index(hash, 2);
    int i3 = index(hash, 3);
    long c0 = cell(i0);
    long c1 = cell(i1);
    long c2 = cell(i2);
    long c3 = cell(i3);
    long to = capped(lower(lower(c0, c1), lower(c2, c3)), n);
    setCell(i0, higher(c0, to));
    setCell(i1, higher(c1, to));
    setCell(i2, higher(c2, to));
    setCell(i3, higher(c3, to));
  }

  /** Returns the lower of two numbers that are not negative. */
  private static long lower(long a, long b) {
    long difference = a - b;
    return b + (difference & (difference >> (Long.SIZE - 1)));
  }

  private static long higher(long a, long b) {
    return a + b - lower(a, b);
  }

  private void addToEach(long hash, long n) {
    for (int row = 0; row < depth; row++) {
      addToCell(index(hash, row), n);
    }
  }

  private int index(long hash, int row) {
    return row * width + Rows.position(hash, row, width);
  }

  /** Returns the sum; or the ceiling, and sets the flag. */
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
