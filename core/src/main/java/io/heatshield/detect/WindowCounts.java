package io.heatshield.detect;

import io.heatshield.count.Rows;
import java.util.Arrays;

/**
 * An immutable copy of the counters of a detector's window, which estimates any key in any process
 * that has the hash function.
 *
 * <p>An estimate is never below the key's touches in the window at the time of the copy, unless a
 * counter is at 2<sup>31</sup> - 1. It exceeds them by more than {@code e / row length} of all
 * touches with a probability of at most {@code e^-depth}. Copies of one shape and one hash may be
 * added cell by cell, and the same holds for the sum.
 */
public final class WindowCounts {
  /*
   * A cell holds `fold` neighbours of the detector's row. A position is the hash scaled to the
   * width, so the position in the narrower row is the position divided by the fold, whatever the
   * width; the sum of neighbours is at least each of them. The detector raises its counters
   * conservatively: each is still at least the touches of each of its keys, and so are sums over
   * stripes, panes, neighbours and processes.
   */
  private final int width;
  private final int depth;
  private final int fold;
  private final long total;
  private final int[] cells;

  private WindowCounts(int width, int depth, int fold, long total, int[] cells) {
    this.width = width;
    this.depth = depth;
    this.fold = fold;
    this.total = total;
    this.cells = cells;
  }

  /**
   * Returns counters from their parts; the array is not copied.
   *
   * @throws IllegalArgumentException if the parts do not fit together
   */
  public static WindowCounts of(int width, int depth, int fold, long total, int[] cells) {
    boolean sized =
        width >= 1
            && depth >= 1
            && depth <= Rows.MAX_DEPTH
            && fold >= 1
            && fold <= width
            && cells.length == (long) depth * folded(width, fold);
    if (!sized || total < 0) {
      throw new IllegalArgumentException("cells must be depth rows of width / fold");
    }
    return new WindowCounts(width, depth, fold, total, cells);
  }

  /** Returns the cells of a row of {@code width} counters with {@code fold} counters in each. */
  public static int folded(int width, int fold) {
    return (int) (((long) width + fold - 1) / fold);
  }

  static int fold(DetectorSettings settings, int maxCells) {
    int most = Math.max(1, maxCells / settings.depth());
    return (int) (((long) settings.width() + most - 1) / most);
  }

  /** Returns the estimate of a hash: the least of its cells. */
  public long estimate(long hash) {
    int length = length();
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      least = Math.min(least, cells[row * length + Rows.position(hash, row, width) / fold]);
    }
    return least;
  }

  /** Returns whether other counters have the same shape and can be added. */
  public boolean isLike(WindowCounts other) {
    return width == other.width && depth == other.depth && fold == other.fold;
  }

  /** Adds all cells to sums of the same shape. */
  public void addTo(long[] sums) {
    for (int i = 0; i < cells.length; i++) {
      sums[i] += cells[i];
    }
  }

  /** Returns the least of a hash's cells in sums of this shape. */
  public long estimate(long[] sums, long hash) {
    int length = length();
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      least = Math.min(least, sums[row * length + Rows.position(hash, row, width) / fold]);
    }
    return least;
  }

  /** Returns by how much an estimate may be too high for a number of touches. */
  public long errorBound(long touches) {
    return (long) Math.ceil(touches * (Math.E / length()));
  }

  /** Returns whether a counter is at its ceiling, so that estimates may be too low. */
  public boolean isSaturated() {
    return Arrays.stream(cells).anyMatch(cell -> cell == Integer.MAX_VALUE);
  }

  /** Returns all touches in the window. */
  public long total() {
    return total;
  }

  /** Returns the counters of the detector's row. */
  public int width() {
    return width;
  }

  /** Returns the rows. */
  public int depth() {
    return depth;
  }

  /** Returns the number of the detector's counters in one cell. */
  public int fold() {
    return fold;
  }

  /** Returns the cells of a row. */
  public int length() {
    return folded(width, fold);
  }

  /** Returns the number of all cells. */
  public int size() {
    return cells.length;
  }

  /** Returns a cell. */
  public int cell(int i) {
    return cells[i];
  }
}
