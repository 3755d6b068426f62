package io.heatshield.store;

import io.heatshield.store.engine.Value;
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
   * A cell adds CHANGE when a key is put or taken away, and 1 when what a reader sees of a key may
   * not have changed: an ended value was deleted, or the store was cleared. WATCH ignores the
   * ones: a key that held nothing still holds nothing then, and a key that held something is
   * noticed because it does not any more. After 2^32 of them without a change they carry over,
   * which is one change too many and allowed.
   *
   * Keys that share a cell share a stripe (see Stripes.place), so nobody else raises it at that time. A write is told
   * after its stripe was given back, which orders it before whatever its caller does next.
   */
  static final int CELLS = 1 << 14;

  private static final int CHANGE_SHIFT = 32;
  private static final long CHANGE = 1L << CHANGE_SHIFT;

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
    raise(hash, CHANGE);
  }

  /** Records the deletion of an expired value. The caller holds the key's stripe. */
  void endedDeleted(long hash) {
    raise(hash, 1);
  }

  /** Records that the store was cleared. The caller holds all stripes. */
  void cleared() {
    for (int i = 0; i < CELLS; i++) {
      cells.incrementAndGet(i);
    }
  }

  /** Returns a number that differs after any change of a key, of its ended value or of all keys. */
  long mark(long hash) {
    return cells.get((int) hash & (CELLS - 1));
  }

  /**
   * Returns the stamp of a key that holds this, or nothing, and had this mark before it was read.
   */
  long of(long mark, @Nullable Value live) {
    long changes = (mark >>> CHANGE_SHIFT) << 1;
    if (alone) {
      return live == null ? changes : changes + 1;
    }
    return (31 * changes) + (live == null ? 0 : 1 + (long) live.hashCode());
  }

  private void raise(long hash, long by) {
    int cell = (int) hash & (CELLS - 1);
    cells.setRelease(cell, cells.getPlain(cell) + by);
  }
}
