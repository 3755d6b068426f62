package io.heatshield.detect;

import io.heatshield.sketch.Rows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A count-min sketch over a sliding window, used by whoever holds its lock.
 *
 * <p>The estimate of a hash covers the present pane so far and the {@code panes} full panes before
 * it. It is never below the true number of touches in that span, which includes every interval of a
 * window's length that ends now; it may be too high by other keys' touches, and by the one pane
 * that the span can be longer than a window. A counter stops at 2<sup>31</sup> - 1 per pane and for
 * all full panes together, and {@link #isSaturated} tells.
 *
 * <p>Memory: {@code depth * width * (8 + 4 * panes)} bytes and exact slots, see {@link #bytes}.
 */
final class WindowedStripe extends StripeLock {
  /*
   * cells[2 * cell] = touches in the present pane, cells[2 * cell + 1] = touches in the full panes,
   *   cell = row * width + position
   * ring[(epoch % panes) * cells + cell]  what the cell counted in the full pane of that epoch
   *
   * An estimate reads two neighbours per row: the least present part plus the least older part. Each part of each row
   * is an upper bound, so the sum of the two minima is one too, and it is at most the least sum. The present part is
   * raised conservatively, up to the least part plus the weight, which keeps every row an upper bound.
   *
   * Cells turn in blocks of 64, each when it is first used in a new epoch; besides, each use turns one more block, so a
   * pane's turn is spread over as many uses as there are blocks. `left` counts those that are left to check; once there
   * is none, `settled` is the epoch, and a use has one word to compare. Turning by one pane adds the present part to the
   * older one, takes off the pane that expires and puts the present part in its place. A block that slept longer than
   * the window is cleared. All rows of a use are at the same epoch, the highest that this stripe has seen: if rows could
   * differ, a touch would stand in the present part of one row and in the older part of another, and the sum of minima
   * would miss it. Pinned by WindowedStripePropertyTest.
   *
   * An older part at its ceiling may have lost touches there, so it is not reduced but added up anew from the ring.
   *
   * touches, expired   written by the holder, opaque; read by anyone, opaque
   * everything else is plain and belongs to the holder.
   *
   * paneStarts[epoch % (panes + 1)] is what `touches` was when that pane began, so the touches in the window are those
   * since the oldest of them.
   *
   * The JVM lays out a class's words after those of its superclass and before its references, so the words that every
   * use writes have the gap on one side and what nobody writes on the other: stripes that the collector moves together
   * do not share a line.
   */
  private static final VarHandle TOUCHES;
  private static final VarHandle EXPIRED;

  /** Stands in {@code settled} while blocks are left to turn; no epoch is so low. */
  private static final long UNSETTLED = Long.MIN_VALUE;

  private static final int BLOCK_SHIFT = 6;
  private static final int BLOCK = 1 << BLOCK_SHIFT;
  private static final int CEILING = Integer.MAX_VALUE;
  private static final long LOW = 0xffff_ffffL;

  static {
    try {
      var lookup = MethodHandles.lookup();
      TOUCHES = lookup.findVarHandle(WindowedStripe.class, "touches", long.class);
      EXPIRED = lookup.findVarHandle(WindowedStripe.class, "expired", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long settled;
  private long epoch;
  private long touches;

  @SuppressWarnings("UnusedVariable") // Read and written through EXPIRED.
  private long expired;

  private long contests;
  private long left;

  /** The width if there are four rows, else 0. */
  private final long widthOfFour;

  private final int width;
  private final int depth;
  private final int panes;
  private final int[] cells;
  private final int[] ring;
  private final long[] blockEpochs;
  private final long[] paneStarts;
  private final ExactSlots slots;

  WindowedStripe(int width, int depth, int panes, int slots) {
    int cells = depth * width;
    this.width = width;
    this.depth = depth;
    this.widthOfFour = depth == 4 ? width : 0;
    this.panes = panes;
    this.cells = new int[2 * cells];
    this.ring = new int[panes * cells];
    this.blockEpochs = new long[(cells + BLOCK - 1) >> BLOCK_SHIFT];
    this.paneStarts = new long[panes + 1];
    this.slots = new ExactSlots(slots, panes);
  }

  /**
   * Counts a touch in the given epoch, or a later one, and returns the estimate after it.
   *
   * @param weight from 0 to 2<sup>31</sup> - 1
   */
  long add(long hash, long weight, long epoch) {
    if (settled != epoch) {
      turnFor(hash, epoch);
    }
    TOUCHES.setOpaque(this, touches + weight);
    long width = widthOfFour;
    return width != 0 ? addFour(hash, (int) weight, width) : addAny(hash, (int) weight);
  }

  /**
   * Returns the parts of the estimate of a hash in the given epoch, or a later one, for {@link
   * #whole} and {@link #present}.
   */
  long estimate(long hash, long epoch) {
    if (settled != epoch) {
      turnFor(hash, epoch);
    }
    return least(hash);
  }

  /** Returns the part of an estimate that the present pane and some full ones before it are. */
  long estimateOfLast(long hash, long epoch, int full) {
    long sum = present(estimate(hash, epoch));
    for (int back = 1; back <= full; back++) {
      int pane = (int) Math.floorMod(this.epoch - back, (long) panes) * depth * width;
      int least = CEILING;
      for (int row = 0, from = pane; row < depth; row++, from += width) {
        least = Math.min(least, ring[from + Rows.position(hash, row, width)]);
      }
      sum += least;
    }
    return sum;
  }

  /** Returns the estimate whose parts are given. */
  static long whole(long parts) {
    return (parts >>> 32) + (parts & LOW);
  }

  /** Returns the present pane's part of an estimate. */
  static long present(long parts) {
    return parts & LOW;
  }

  /** Returns whether a hash's estimate has stopped at its ceiling. */
  boolean isSaturated(long hash, long epoch) {
    long least = estimate(hash, epoch);
    return (least & LOW) == CEILING || least >>> 32 == CEILING;
  }

  /**
   * Counts a touch exactly, after {@link #add}, and returns whether the estimate makes a verdict
   * due.
   *
   * @param number the number of the key's slot, or 0
   */
  boolean addExact(int number, int generation, long weight, long estimate, long now) {
    return slots.add(number, generation, weight, estimate, now);
  }

  /**
   * Returns a negative number if a touch that made this estimate must be judged by all stripes,
   * after {@link #addExact}; for a number that is not 0.
   */
  long room(int number, long estimate) {
    return slots.room(number, estimate);
  }

  /** Has every touch of a slot's key judged; returns its estimate. */
  long close(Slot slot, long epoch) {
    slots.close(slot);
    return whole(estimate(slot.hash, epoch));
  }

  /** Has touches of all keys judged. */
  void closeAll() {
    slots.closeAll();
  }

  /** Has touches of a slot's key judged from an estimate on. */
  void open(Slot slot, long judgeAt) {
    slots.open(slot, judgeAt);
  }

  /** Notes that a slot's verdict was renewed at an estimate. */
  void renewed(int number, long estimate) {
    slots.renewed(number, estimate);
  }

  /** Sets the estimate at which a touch of a key without a slot is due. */
  void setBar(long bar) {
    slots.setBar(bar);
  }

  long exact(Slot slot, long epoch) {
    turnTo(epoch);
    return slots.sum(slot);
  }

  long age(Slot slot, long now, long otherwise) {
    return slots.age(slot, now, otherwise);
  }

  /**
   * Adds what the window holds in the cells of a row from one position to before another to sums of
   * {@code fold} neighbours each, of which the row's own begin at an index.
   */
  void addCells(int row, int from, int to, long epoch, int fold, int[] sums, int at) {
    turnTo(epoch);
    int first = row * width;
    for (int block = (first + from) >> BLOCK_SHIFT;
        block <= (first + to - 1) >> BLOCK_SHIFT;
        block++) {
      turnBlock(block);
    }
    for (int position = from; position < to; position++) {
      int sum = at + position / fold;
      int cell = 2 * (first + position);
      sums[sum] = (int) Math.min(CEILING, (long) sums[sum] + cells[cell] + cells[cell + 1]);
    }
  }

  /** Returns true once in so many calls; the holder uses it to contest a place less often. */
  boolean everyNth(int powerOfTwo) {
    return (contests++ & (powerOfTwo - 1)) == 0;
  }

  /** Returns the sum of the weights in the window as of this stripe's last use; for any thread. */
  long total() {
    return (long) TOUCHES.getOpaque(this) - (long) EXPIRED.getOpaque(this);
  }

  long touches() {
    return touches;
  }

  void turnTo(long epoch) {
    if (epoch > this.epoch) {
      advance(epoch);
    }
  }

  /**
   * The default depth, with positions and parts kept in registers between the two passes, and no
   * branch: which row is the least, and which are raised, cannot be foretold.
   */
  private long addFour(long hash, int weight, long width) {
    int[] cells = this.cells;
    int row = (int) width;
    int i0 = 2 * Rows.position(hash, 0, width);
    int i1 = 2 * (row + Rows.position(hash, 1, width));
    int i2 = 2 * (2 * row + Rows.position(hash, 2, width));
    int i3 = 2 * (3 * row + Rows.position(hash, 3, width));
    int p0 = cells[i0];
    int p1 = cells[i1];
    int p2 = cells[i2];
    int p3 = cells[i3];
    int present = capped(Math.min(Math.min(p0, p1), Math.min(p2, p3)) + weight);
    cells[i0] = Math.max(p0, present);
    cells[i1] = Math.max(p1, present);
    cells[i2] = Math.max(p2, present);
    cells[i3] = Math.max(p3, present);
    int older =
        Math.min(Math.min(cells[i0 + 1], cells[i1 + 1]), Math.min(cells[i2 + 1], cells[i3 + 1]));
    return (long) older + present;
  }

  private long addAny(long hash, int weight) {
    long least = least(hash);
    int present = capped((int) least + weight);
    for (int row = 0, from = 0; row < depth; row++, from += width) {
      int i = 2 * (from + Rows.position(hash, row, width));
      cells[i] = Math.max(cells[i], present);
    }
    return (least >>> Integer.SIZE) + present;
  }

  /** Returns the least older and the least present part of a hash's cells. */
  private long least(long hash) {
    int older = CEILING;
    int present = CEILING;
    for (int row = 0, from = 0; row < depth; row++, from += width) {
      int i = 2 * (from + Rows.position(hash, row, width));
      present = Math.min(present, cells[i]);
      older = Math.min(older, cells[i + 1]);
    }
    return (long) older << Integer.SIZE | present;
  }

  /** Returns a sum of two numbers that are not negative, or the ceiling if it has wrapped. */
  private static int capped(int sum) {
    return sum < 0 ? CEILING : sum;
  }

  private void advance(long next) {
    slots.turn(next - epoch);
    long gap = Math.min(next - epoch, paneStarts.length);
    for (long e = next - gap + 1; e <= next; e++) {
      paneStarts[(int) (e % paneStarts.length)] = touches;
    }
    EXPIRED.setOpaque(this, paneStarts[(int) ((next + 1) % paneStarts.length)]);
    epoch = next;
    left = blockEpochs.length;
    settled = UNSETTLED;
  }

  /** Brings the stripe, and the cells of a hash, to an epoch. */
  private void turnFor(long hash, long epoch) {
    turnTo(epoch);
    if (left == 0) {
      return;
    }
    for (int r = 0; r < depth; r++) {
      turnBlock((r * width + Rows.position(hash, r, width)) >> BLOCK_SHIFT);
    }
    turnBlock((int) --left);
    if (left == 0) {
      settled = this.epoch;
    }
  }

  private void turnBlock(int block) {
    long last = blockEpochs[block];
    if (last == epoch) {
      return;
    }
    blockEpochs[block] = epoch;
    int all = depth * width;
    int from = block << BLOCK_SHIFT;
    int to = Math.min(from + BLOCK, all);
    if (epoch - last > panes) {
      Arrays.fill(cells, 2 * from, 2 * to, 0);
      for (int pane = 0; pane < panes; pane++) {
        Arrays.fill(ring, pane * all + from, pane * all + to, 0);
      }
      return;
    }
    for (long e = last; e < epoch; e++) {
      int pane = (int) (e % panes) * all;
      for (int i = from; i < to; i++) {
        int present = cells[2 * i];
        int before = cells[2 * i + 1];
        long older = (long) before + present - ring[pane + i];
        ring[pane + i] = present;
        if (before == CEILING) {
          older = sumOfRing(i);
        }
        cells[2 * i] = 0;
        cells[2 * i + 1] = (int) Math.min(CEILING, older);
      }
    }
  }

  private long sumOfRing(int cell) {
    long sum = 0;
    for (int i = cell; i < ring.length; i += depth * width) {
      sum += ring[i];
    }
    return sum;
  }

  /** Returns the bytes of a stripe with its slots. */
  static long bytes(int width, int depth, int panes, int slots) {
    long cells = (long) width * depth;
    return cells * (2 + (long) panes) * Integer.BYTES
        + ((cells + BLOCK - 1) >> BLOCK_SHIFT) * Long.BYTES
        + (panes + 1L) * Long.BYTES
        + LineGap.BYTES
        + ExactSlots.bytes(slots, panes)
        + 4 * 24
        + 144;
  }
}
