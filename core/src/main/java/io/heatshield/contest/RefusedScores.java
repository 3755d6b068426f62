package io.heatshield.contest;

import io.heatshield.sketch.Rows;

/**
 * What the keys that a stripe does not hold would score: a count-min sketch of decayed scores.
 *
 * <p>Scores come and go as of the {@link Landmark}. An estimate is never below the score of a key's
 * touches since it was first refused, but for 10<sup>-6</sup> of it by rounding, and above it by
 * what other keys left in both of its cells. A stripe of n slots has two rows of 16 n floats, 128
 * bytes for each slot.
 */
final class RefusedScores {
  /*
   * Rows rise only as far as the new estimate (conservative update). Two wide rows instead of four narrow ones: a contest
   * waits for two cache lines, not four. See ADR-0021.
   */
  private static final int ROWS = 2;
  private static final int CELLS_PER_SLOT = 16;

  private final int width;
  private final float[] cells;

  RefusedScores(int slots) {
    width = slots * CELLS_PER_SLOT;
    cells = new float[ROWS * width];
  }

  /** Adds a touch of a key that is not held, and returns its estimate, the touch included. */
  float touch(long hash, double weight) {
    float estimate = (float) Math.min(least(hash) + weight, Float.MAX_VALUE);
    remember(hash, estimate);
    return estimate;
  }

  /** Remembers the score of a key that lost its place. */
  void remember(long hash, float score) {
    for (int row = 0; row < ROWS; row++) {
      int i = cell(hash, row);
      if (cells[i] < score) {
        cells[i] = score;
      }
    }
  }

  /** Brings all scores to a new landmark. */
  void scale(float factor) {
    for (int i = 0; i < cells.length; i++) {
      cells[i] *= factor;
    }
  }

  /** Returns the bytes of the sketch of so many slots. */
  static long bytes(int slots) {
    return (long) ROWS * CELLS_PER_SLOT * Float.BYTES * slots;
  }

  private float least(long hash) {
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
