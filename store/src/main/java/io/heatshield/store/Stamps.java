package io.heatshield.store;

import io.heatshield.store.engine.Value;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Version numbers of keys.
 *
 * <p>Keys share {@value #CELLS} numbers by their hash, so a number may also change when its key did
 * not. It always changes when its key does.
 */
final class Stamps {
  /*
   * cells[i]   read: volatile   incremented: plain read, release write, by the holder of the stripe
   *
   * A cell is incremented by CHANGE when a key is put or deleted, and by 1 when readers may see no
   * difference: an expired value was deleted, or the store was cleared. WATCH ignores increments
   * by 1: a key that was absent is still absent then, and a key that had a value is noticed because
   * it is absent now. After 2^32 of them without a CHANGE they carry over, which looks like one
   * change too many and is allowed.
   *
   * Keys that share a cell share a stripe (see Stripes.place), so there is one writer at a time. A
   * write completes after its stripe was released, which orders the increment before whatever the
   * caller does next.
   */
  static final int CELLS = 1 << 14;

  private static final int CHANGE_SHIFT = 32;
  private static final long CHANGE = 1L << CHANGE_SHIFT;

  private final AtomicLongArray cells = new AtomicLongArray(CELLS);
  private final boolean alone;

  /**
   * Creates the numbers.
   *
   * @param alone whether this process makes every change; otherwise a stamp includes the content
   */
  Stamps(boolean alone) {
    this.alone = alone;
  }

  /** Records a change. The caller holds the key's stripe. */
  void changed(long hash) {
    raise(hash, CHANGE);
  }

  /** Records the deletion of an expired value. The caller holds the key's stripe. */
  void expiredDeleted(long hash) {
    raise(hash, 1);
  }

  /** Records that the store was cleared. The caller holds all stripes. */
  void cleared() {
    for (int i = 0; i < CELLS; i++) {
      cells.incrementAndGet(i);
    }
  }

  /**
   * Returns a number that differs after any change, any deletion of an expired value, any clear.
   */
  long mark(long hash) {
    return cells.get((int) hash & (CELLS - 1));
  }

  /** Returns the stamp of a key with this value, or null, whose mark was taken before the read. */
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
