package io.heatshield.ring;

import io.heatshield.sketch.Rows;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A count-min sketch of the keys that a full ring has refused lately.
 *
 * <p>Its estimates decide who is admitted; they are never part of a count. Four rows of {@value
 * #WIDTH} cells, 256 KiB. Cells halve every 4096 refusals, so a key that comes once is taken for
 * one that comes back at most once in 500 times, however many such keys there are. Threads that
 * race may lose a refusal, and the key then needs one touch more.
 */
final class RefusalSketch {
  /*
   * cells[i]   [halvings 8 | count 24]   read: opaque   write: opaque
   * refusals   read: opaque              write: opaque
   *
   * Nothing is published through a cell and nothing depends on every raise being there.
   */
  static final int WIDTH = 1 << 14;

  private static final int ROWS = 4;
  private static final int REFUSALS_PER_HALVING = WIDTH / 4;
  private static final int COUNT_BITS = 24;
  private static final int COUNT_MAX = (1 << COUNT_BITS) - 1;

  private final AtomicIntegerArray cells = new AtomicIntegerArray(ROWS * WIDTH);
  private final AtomicLong refusals = new AtomicLong();

  /** Counts one refusal of a key and returns how many it had lately, itself included. */
  long raise(long hash) {
    int halvings = halvings();
    refusals.setOpaque(refusals.getOpaque() + 1);
    int raised = Math.min(least(hash, halvings) + 1, COUNT_MAX);
    for (int row = 0; row < ROWS; row++) {
      int i = index(hash, row);
      int count = Math.max(raised, count(cells.getOpaque(i), halvings));
      cells.setOpaque(i, (halvings << COUNT_BITS) | count);
    }
    return raised;
  }

  /** Returns how many refusals a key had lately, and counts none. */
  long estimate(long hash) {
    return least(hash, halvings());
  }

  private int halvings() {
    return (int) (refusals.getOpaque() / REFUSALS_PER_HALVING) & 0xff;
  }

  private int least(long hash, int halvings) {
    int least = COUNT_MAX;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, count(cells.getOpaque(index(hash, row)), halvings));
    }
    return least;
  }

  private static int count(int cell, int halvings) {
    int age = (halvings - (cell >>> COUNT_BITS)) & 0xff;
    return age >= COUNT_BITS ? 0 : (cell & COUNT_MAX) >>> age;
  }

  private static int index(long hash, int row) {
    return row * WIDTH + Rows.position(hash, row, WIDTH);
  }
}
