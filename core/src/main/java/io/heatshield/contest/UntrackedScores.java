package io.heatshield.contest;

import io.heatshield.count.Rows;

/**
 * A count-min sketch of the scores of keys that have no slot in a stripe.
 *
 * <p>All scores are scaled to the stripe's {@link ReferenceTime}. An estimate is at least the score
 * of the key's touches since the table first rejected it, less 10<sup>-6</sup> of it by rounding.
 * It is too high by what other keys added to both of its cells. A stripe of n slots has two rows of
 * 16 n floats: 128 bytes for each slot.
 */
final class UntrackedScores {
  /*
   * A cell is raised only as far as the new estimate (conservative update). Two wide rows instead
   * of four narrow ones: a contest then waits for two cache lines, not four. See ADR-0021.
   */
  private static final int ROWS = 2;
  private static final int CELLS_PER_SLOT = 16;

  private final int width;
  private final float[] cells;

  UntrackedScores(int slots) {
    width = slots * CELLS_PER_SLOT;
    cells = new float[ROWS * width];
  }

  /** Adds a touch of a key, and returns the key's estimate including this touch. */
  float add(long hash, double weight) {
    float estimate = (float) Math.min(estimate(hash) + weight, Float.MAX_VALUE);
    raiseTo(hash, estimate);
    return estimate;
  }

  /** Raises the estimate of a key to a score, unless it is higher already. */
  void raiseTo(long hash, float score) {
    for (int row = 0; row < ROWS; row++) {
      int i = cell(hash, row);
      if (cells[i] < score) {
        cells[i] = score;
      }
    }
  }

  /** Multiplies all scores by a factor, when the reference time moves. */
  void rescale(float factor) {
    for (int i = 0; i < cells.length; i++) {
      cells[i] *= factor;
    }
  }

  /** Returns the bytes of the cells for a number of slots. */
  static long bytes(int slots) {
    return (long) ROWS * CELLS_PER_SLOT * Float.BYTES * slots;
  }

  private float estimate(long hash) {
    float least = Float.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, cells[cell(hash, row)]);
    }
    return least;
  }

  private int cell(long hash, int row) {
    return row * width + Rows.position(hash, row, width);
  }
}
