package io.heatshield.limit.coalesce;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the first calls of keys in a table so small that it stays near the processor; only those
 * that come on are worth a look into the sketch, whose rows lie all over ten megabytes.
 *
 * <p>Keys share {@value #CELLS} cells by their hash, and a cell counts {@value #MOST} calls of all
 * of them: a count is never below a key's own, and above it by fewer than that. Any thread may
 * call; 256 KiB.
 */
final class ColdGate {
  static final int MOST = 16;

  /** The answer to a call that was not counted because the cell is full. */
  static final int FULL = 0;

  private static final int CELL_BITS = 16;
  private static final int CELLS = 1 << CELL_BITS;

  private final AtomicIntegerArray cells = new AtomicIntegerArray(CELLS);

  /** Counts a call; returns how many there were of the key's cell, or {@link #FULL}. */
  int touch(long hash) {
    int cell = (int) (hash >>> (Long.SIZE - CELL_BITS));
    if (cells.get(cell) >= MOST) {
      return FULL;
    }
    // Of threads that race for the last place, all but one find that it is taken.
    int count = cells.incrementAndGet(cell);
    return count <= MOST ? count : FULL;
  }

  /** Halves all counts, one after the other; calls go on meanwhile. */
  void halve() {
    for (int i = 0; i < CELLS; i++) {
      if (cells.get(i) != 0) {
        int unused = cells.updateAndGet(i, count -> Math.min(count, MOST) / 2);
      }
    }
  }
}
