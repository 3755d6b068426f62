package io.heatshield.ring;

import io.heatshield.count.Rows;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A count-min sketch of the keys that a full ring has refused recently.
 *
 * <p>Its estimates decide which keys are admitted; they are never part of a count. It has four rows
 * of {@value #WIDTH} cells, 256 KiB in all. Counts halve every 4096 refusals, so at most one key in
 * 500 that comes once is mistaken for one that came before, however many such keys there are. Two
 * threads that race may lose a refusal; the key then needs one more touch.
 */
final class RefusalSketch {
  /*
   * cells[i]   [halvings 8 | count 24]   read: opaque   write: opaque
   * refusals   read: opaque              write: opaque
   *
   * A cell stores the number of halvings at its last write; a reader applies the later ones. No
   * other data is published through a cell, and a lost addition only makes an estimate lower, so
   * opaque access suffices. Pinned by HotRingCapTest.
   */
  static final int WIDTH = 1 << 14;

  private static final int ROWS = 4;
  private static final int REFUSALS_PER_HALVING = WIDTH / 4;
  private static final int COUNT_BITS = 24;
  private static final int COUNT_MAX = (1 << COUNT_BITS) - 1;

  private final AtomicIntegerArray cells = new AtomicIntegerArray(ROWS * WIDTH);
  private final AtomicLong refusals = new AtomicLong();

  /** Counts one refusal of a key, and returns how often it was refused recently. */
  long add(long hash) {
    int halvings = halvings();
    refusals.setOpaque(refusals.getOpaque() + 1);
    int next = Math.min(estimate(hash, halvings) + 1, COUNT_MAX);
    for (int row = 0; row < ROWS; row++) {
      int i = index(hash, row);
      int count = Math.max(next, count(cells.getOpaque(i), halvings));
      cells.setOpaque(i, (halvings << COUNT_BITS) | count);
    }
    return next;
  }

  /** Returns how often a key was refused recently. */
  long estimate(long hash) {
    return estimate(hash, halvings());
  }

  private int halvings() {
    return (int) (refusals.getOpaque() / REFUSALS_PER_HALVING) & 0xff;
  }

  private int estimate(long hash, int halvings) {
    int min = COUNT_MAX;
    for (int row = 0; row < ROWS; row++) {
      min = Math.min(min, count(cells.getOpaque(index(hash, row)), halvings));
    }
    return min;
  }

  private static int count(int cell, int halvings) {
    int missed = (halvings - (cell >>> COUNT_BITS)) & 0xff;
    return missed >= COUNT_BITS ? 0 : (cell & COUNT_MAX) >>> missed;
  }

  private static int index(long hash, int row) {
    return row * WIDTH + Rows.position(hash, row, WIDTH);
  }
}
