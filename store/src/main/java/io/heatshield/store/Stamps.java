package io.heatshield.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that change when a key does.
 *
 * <p>Keys share {@value #CELLS} of them by their hash, so one may also change when its key did not;
 * it never stays when the key did change.
 */
final class Stamps {
  /*
   * cells[i]   read: volatile   raised: plain read, volatile or release write by who holds the stripe of the key
   *
   * Keys that share a cell share a stripe (see Stripes.place), so nobody else raises it at that time. A write is told
   * after its stripe was given back, which orders it before whatever its caller does next.
   */
  static final int CELLS = 1 << 14;

  private final AtomicLongArray cells = new AtomicLongArray(CELLS);
  private final boolean alone;

  /**
   * Creates them.
   *
   * @param alone whether every change comes through this process; otherwise the content counts too
   */
  Stamps(boolean alone) {
    this.alone = alone;
  }

  /** Takes note of a change; for who holds the key's stripe. */
  void changed(long hash) {
    int cell = (int) hash & (CELLS - 1);
    cells.setRelease(cell, cells.getPlain(cell) + 1);
  }

  /** Takes note that everything has changed; for who holds all stripes. */
  void allChanged() {
    for (int i = 0; i < CELLS; i++) {
      cells.incrementAndGet(i);
    }
  }

  /** Returns how often keys have changed until now, for {@link #isUnchanged}. */
  long[] mark() {
    long[] mark = new long[CELLS];
    Arrays.setAll(mark, cells::get);
    return mark;
  }

  /** Returns whether a key has not changed since a mark. */
  boolean isUnchanged(long hash, long[] mark) {
    int cell = (int) hash & (CELLS - 1);
    return cells.get(cell) == mark[cell];
  }

  /** Returns the stamp of a key that holds this, or nothing. */
  long of(long hash, @Nullable Value live) {
    long changes = cells.get((int) hash & (CELLS - 1)) << 1;
    if (alone) {
      return live == null ? changes : changes + 1;
    }
    return (31 * changes) + (live == null ? 0 : 1 + (long) live.hashCode());
  }
}
