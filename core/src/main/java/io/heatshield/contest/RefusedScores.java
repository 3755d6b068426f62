package io.heatshield.contest;

import io.heatshield.sketch.Rows;

/**
 * What the keys that a stripe does not hold would score: a count-min sketch of decayed scores.
 *
 * <p>An estimate is never below the score of a key's touches since it was first refused, but for
 * 10<sup>-6</sup> of it by rounding, and above it by what other keys left in all four of its cells.
 * A stripe of n slots has four rows of 8 n floats, 128 bytes for each slot.
 */
final class RefusedScores {
  /*
   * Cells hold scores as of the landmark: a touch after it weighs more by the factor that the old ones have faded by, so
   * nothing has to fade while time passes. Before that factor outgrows a float the landmark moves, and all cells with it:
   * one pass every 32 windows. Rows rise only as far as the new estimate (conservative update). See ADR-0021.
   */
  private static final int ROWS = 4;
  private static final int CELLS_PER_SLOT = 8;
  private static final int LANDMARK_WINDOWS = 32;

  private final Decay decay;
  private final long landmarkNanos;
  private final int width;
  private final float[] cells;
  private long landmark;

  RefusedScores(int slots, long windowNanos, Decay decay, long now) {
    this.decay = decay;
    landmarkNanos = LANDMARK_WINDOWS * windowNanos;
    width = slots * CELLS_PER_SLOT;
    cells = new float[ROWS * width];
    landmark = now;
  }

  /** Adds a touch of a key that is not held, and returns its estimate, the touch included. */
  double touch(long hash, long weight, long now) {
    double gain = gainAt(now);
    double estimate = least(hash) / gain + weight;
    raise(hash, estimate * gain);
    return estimate;
  }

  /** Remembers the score of a key that lost its place. */
  void remember(long hash, double score, long now) {
    raise(hash, score * gainAt(now));
  }

  /** Returns the bytes of the sketch of so many slots. */
  static long bytes(int slots) {
    return (long) ROWS * CELLS_PER_SLOT * Float.BYTES * slots;
  }

  private double gainAt(long now) {
    long gap = now - landmark;
    if (gap > landmarkNanos) {
      float left = (float) decay.after(1, gap);
      for (int i = 0; i < cells.length; i++) {
        cells[i] *= left;
      }
      landmark = now;
      return 1;
    }
    return decay.gain(gap);
  }

  private float least(long hash) {
    float least = Float.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, cells[cell(hash, row)]);
    }
    return least;
  }

  private void raise(long hash, double to) {
    float value = (float) Math.min(to, Float.MAX_VALUE);
    for (int row = 0; row < ROWS; row++) {
      int i = cell(hash, row);
      if (cells[i] < value) {
        cells[i] = value;
      }
    }
  }

  private int cell(long hash, int row) {
    return row * width + Rows.position(hash, row, width);
  }
}
