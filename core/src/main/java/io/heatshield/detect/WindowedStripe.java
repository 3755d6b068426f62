package io.heatshield.detect;

import io.heatshield.count.Rows;
import java.util.Arrays;

/**
 * One stripe of a detector: a count-min sketch over a sliding window, and exact counts of the keys
 * that have a number. Only the holder of its lock may use it.
 *
 * <p>An estimate covers the current pane so far and the {@code panes} full panes before it. It is
 * never below the number of touches in that span, which includes every interval of a window's
 * length that ends now. It may be too high by other keys' touches, and by the one pane that the
 * span can be longer than a window. A counter stops at 2<sup>31</sup> - 1 per pane and for all full
 * panes together, see {@link #isSaturated}.
 */
final class WindowedStripe extends StripeLock {
  /*
   * Layout
   *   cells[2 * cell]      touches in the current pane
   *   cells[2 * cell + 1]  touches in the full panes
   *   ring[(epoch % panes) * cellCount + cell]  touches in the full pane of that epoch
   *
   * Cell `row * width + position` belongs to the sketch. Cell `depth * width + number` is the
   * exact count of the key with that number; Candidates and Audit assign the numbers.
   *
   * Estimate. The least current part over all rows plus the least older part. Each part of each
   * row is an upper bound, so the sum of the two minima is one too. The current part is raised
   * conservatively: up to the least part plus the weight. Four rows, the default, are raised
   * without a loop, which makes a touch of one key a quarter faster (ADR-0083).
   *
   * Turning a pane. A turn adds the current part to the older part, subtracts the pane that
   * expires and stores the current part in its place. Cells turn in blocks of 64, each at its
   * first use in a new epoch, so no touch waits for a whole array. A block that was not used for
   * longer than the window is cleared. All cells of a use are brought to the same epoch first: if
   * rows differed, a touch could be in the current part of one row and in the older part of
   * another, and the sum of the minima would miss it. An older part at the ceiling may have lost
   * touches, so it is summed again from the ring instead of reduced.
   *
   * Access. Everything is plain and belongs to the holder of the lock, see StripeLock.
   *
   * Pinned by WindowedStripePropertyTest and HotKeyDetectorLincheckTest.
   */
  private static final int BLOCK_SHIFT = 6;
  private static final int BLOCK = 1 << BLOCK_SHIFT;
  private static final int CEILING = Integer.MAX_VALUE;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private final int width;
  private final int depth;
  private final int panes;
  private final int cellCount;
  private final int[] cells;
  private final int[] ring;
  private final long[] blockEpochs;

  /** By epoch modulo its length: the sum of all weights when that pane began. */
  private final long[] paneStarts;

  /** By number: the time of the key's last touch. */
  private final long[] seen;

  /** By number: the estimate at which the key's verdict is due for renewal; 0 in a new pane. */
  private final long[] renewAt;

  private long epoch;

  WindowedStripe(int width, int depth, int panes, int numbers) {
    this.width = width;
    this.depth = depth;
    this.panes = panes;
    this.cellCount = depth * width + numbers;
    this.cells = new int[2 * cellCount];
    this.ring = new int[panes * cellCount];
    this.blockEpochs = new long[(cellCount + BLOCK - 1) >> BLOCK_SHIFT];
    this.paneStarts = new long[panes + 1];
    this.seen = new long[numbers];
    this.renewAt = new long[numbers];
  }

  /**
   * Counts a touch in the given epoch, or a later one if the stripe has seen one, and returns the
   * estimate after it, for {@link #total} and {@link #current}.
   */
  long add(long hash, int weight, long epoch) {
    turnTo(epoch);
    addTouches(weight);
    return depth == 4 ? addToFour(hash, weight) : addToRows(hash, weight);
  }

  /** Returns the estimate of a hash, for {@link #total} and {@link #current}. */
  long estimate(long hash, long epoch) {
    turnTo(epoch);
    int current = CEILING;
    int older = CEILING;
    for (int row = 0; row < depth; row++) {
      int cell = turned(cell(hash, row));
      current = Math.min(current, cells[cell]);
      older = Math.min(older, cells[cell + 1]);
    }
    return (long) older << Integer.SIZE | current;
  }

  /** Returns the total of an estimate. */
  static long total(long estimate) {
    return (estimate >>> Integer.SIZE) + (int) estimate;
  }

  /** Returns the part of an estimate in the current pane. */
  static int current(long estimate) {
    return (int) estimate;
  }

  /** Returns the part of an estimate in the current pane and some full panes before it. */
  long estimateOfLast(long hash, long epoch, int full) {
    long sum = current(estimate(hash, epoch));
    for (int back = 1; back <= full; back++) {
      int pane = (int) Math.floorMod(this.epoch - back, (long) panes) * cellCount;
      int least = CEILING;
      for (int row = 0; row < depth; row++) {
        least = Math.min(least, ring[pane + cell(hash, row)]);
      }
      sum += least;
    }
    return sum;
  }

  /** Returns whether a counter of a hash has stopped at its ceiling. */
  boolean isSaturated(long hash, long epoch) {
    long estimate = estimate(hash, epoch);
    return current(estimate) == CEILING || estimate >>> Integer.SIZE == CEILING;
  }

  /**
   * Counts a touch of the key with a number exactly, after {@link #add}. Returns whether its
   * verdict is due for renewal: until {@link #keepVerdict} is called in the same pane, and when the
   * estimate has since grown by more than 1/16.
   */
  boolean addExact(int number, int weight, long estimate, long now) {
    int cell = turned(depth * width + number);
    cells[cell] = capped(cells[cell] + weight);
    seen[number] = now;
    return estimate >= renewAt[number];
  }

  /**
   * Keeps the verdict of the key with a number until its estimate has grown by more than 1/16, or
   * the pane ends. The verdict must have been published before.
   *
   * @param estimate an estimate by this stripe that the verdict includes
   * @param epoch the epoch of the verdict
   */
  void keepVerdict(int number, long estimate, long epoch) {
    if (epoch == this.epoch) {
      long grown = estimate + (estimate >> Verdict.LAG_SHIFT) + 1;
      renewAt[number] = Math.max(renewAt[number], grown);
    }
  }

  /** Returns the exact count of the key with a number; never above the truth. */
  long exact(int number, long epoch) {
    turnTo(epoch);
    int cell = turned(depth * width + number);
    return (long) cells[cell] + cells[cell + 1];
  }

  /** Returns the time since the key with a number was last touched or got its number. */
  long age(int number, long now) {
    return Math.max(0, now - seen[number]);
  }

  /** Clears the exact count of a number for the next key that gets it. */
  void reset(int number, long now) {
    int exact = depth * width + number;
    int cell = turned(exact);
    cells[cell] = 0;
    cells[cell + 1] = 0;
    for (int pane = 0; pane < panes; pane++) {
      ring[pane * cellCount + exact] = 0;
    }
    seen[number] = now;
    renewAt[number] = 0;
  }

  /** Adds the cells of a part of a row to the row's sums, which hold {@code fold} cells each. */
  void addCells(int row, int from, int to, long epoch, int fold, int[] sums) {
    turnTo(epoch);
    int firstSum = row * WindowCounts.folded(width, fold);
    for (int position = from; position < to; position++) {
      int sum = firstSum + position / fold;
      int cell = turned(row * width + position);
      sums[sum] = (int) Math.min(CEILING, (long) sums[sum] + cells[cell] + cells[cell + 1]);
    }
  }

  /** Returns the sum of the weights in the window. */
  long inWindow(long epoch) {
    turnTo(epoch);
    return touches() - paneStarts[(int) ((this.epoch + 1) % paneStarts.length)];
  }

  /** Returns true for about one touch in sixteen, without a pattern that traffic could match. */
  boolean isOneInSixteen() {
    return (touches() * SPREAD) >>> 60 == 0;
  }

  private long addToFour(long hash, int weight) {
    int[] cells = this.cells;
    int i0 = turned(cell(hash, 0));
    int i1 = turned(cell(hash, 1));
    int i2 = turned(cell(hash, 2));
    int i3 = turned(cell(hash, 3));
    int c0 = cells[i0];
    int c1 = cells[i1];
    int c2 = cells[i2];
    int c3 = cells[i3];
    int current = capped(Math.min(Math.min(c0, c1), Math.min(c2, c3)) + weight);
    int older =
        Math.min(Math.min(cells[i0 + 1], cells[i1 + 1]), Math.min(cells[i2 + 1], cells[i3 + 1]));
    cells[i0] = Math.max(c0, current);
    cells[i1] = Math.max(c1, current);
    cells[i2] = Math.max(c2, current);
    cells[i3] = Math.max(c3, current);
    return (long) older << Integer.SIZE | current;
  }

  private long addToRows(long hash, int weight) {
    long before = estimate(hash, epoch);
    int current = capped(current(before) + weight);
    for (int row = 0; row < depth; row++) {
      int cell = 2 * cell(hash, row);
      cells[cell] = Math.max(cells[cell], current);
    }
    return before - current(before) + current;
  }

  private int cell(long hash, int row) {
    return row * width + Rows.position(hash, row, width);
  }

  /** Returns a sum of two numbers that are not negative, or the ceiling if it has overflowed. */
  private static int capped(int sum) {
    return sum < 0 ? CEILING : sum;
  }

  private void turnTo(long next) {
    if (next <= epoch) {
      return;
    }
    for (long e = Math.max(epoch + 1, next - panes); e <= next; e++) {
      paneStarts[(int) (e % paneStarts.length)] = touches();
    }
    Arrays.fill(renewAt, 0);
    epoch = next;
  }

  /** Brings a cell's block to the current epoch and returns the index of its current part. */
  private int turned(int cell) {
    int block = cell >> BLOCK_SHIFT;
    if (blockEpochs[block] != epoch) {
      turnBlock(block);
    }
    return 2 * cell;
  }

  private void turnBlock(int block) {
    int from = block << BLOCK_SHIFT;
    int to = Math.min(from + BLOCK, cellCount);
    long first = Math.max(blockEpochs[block], epoch - panes - 1);
    for (long e = first; e < epoch; e++) {
      int pane = (int) (e % panes) * cellCount;
      for (int i = from; i < to; i++) {
        turnCell(i, pane + i);
      }
    }
    blockEpochs[block] = epoch;
  }

  private void turnCell(int cell, int expiring) {
    int current = cells[2 * cell];
    int before = cells[2 * cell + 1];
    long older = (long) before + current - ring[expiring];
    ring[expiring] = current;
    if (before == CEILING) {
      older = 0;
      for (int i = cell; i < ring.length; i += cellCount) {
        older += ring[i];
      }
    }
    cells[2 * cell] = 0;
    cells[2 * cell + 1] = (int) Math.min(CEILING, older);
  }

  /** Returns the bytes of a stripe. */
  static long bytes(int width, int depth, int panes, int numbers) {
    long cells = (long) width * depth + numbers;
    return cells * (2L + panes) * Integer.BYTES
        + ((cells + BLOCK - 1) >> BLOCK_SHIFT) * Long.BYTES
        + (panes + 1 + 2L * numbers) * Long.BYTES
        + StripeLock.BYTES
        + 6 * 16
        + 64;
  }
}
