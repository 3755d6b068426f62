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
final class WindowedStripe {
  /*
   * cells[row * width + position] = touches in the full panes << 32 | touches in the present pane
   * ring[(epoch % panes) * cells + cell]  what the cell counted in the full pane of that epoch
   *
   * An estimate reads one word per row: the least present part plus the least older part. Each part of each row is an
   * upper bound, so the sum of the two minima is one too, and it is at most the least sum. The present part is raised
   * conservatively, up to the least part plus the weight, which keeps every row an upper bound.
   *
   * Cells turn in blocks of 64, each when it is first used in a new epoch; besides, each use turns one more block, so a
   * pane's turn is spread over as many uses as there are blocks, and LEFT then says that none is left to check. Turning
   * by one pane adds the present part to the older one, takes off the pane that expires and puts the present part in
   * its place. A block that slept longer than the window is cleared. All rows of a use are at the same epoch, the
   * highest that this stripe has seen: if rows could differ, a touch would stand in the present part of one row and in
   * the older part of another, and the sum of minima would miss it. Pinned by WindowedStripePropertyTest.
   *
   * An older part at its ceiling may have lost touches there, so it is not reduced but added up anew from the ring.
   *
   * words[LOCK]    take: CAS, acquire   give back: release
   * words[TOUCHES], words[EXPIRED]   written by the holder, opaque; read by anyone, opaque
   * everything else is plain and belongs to the holder.
   *
   * paneStarts[epoch % (panes + 1)] is what TOUCHES was when that pane began, so the touches in the window are those
   * since the oldest of them.
   *
   * The words that every use writes lie in the middle of an array, two lines from its ends: stripes that the collector
   * moves together do not share a line.
   */
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int LOCK = 16;
  private static final int EPOCH = 17;
  private static final int COLUMN = 18;
  private static final int LEFT = 19;
  private static final int TOUCHES = 20;
  private static final int EXPIRED = 21;
  private static final int CONTESTS = 22;
  private static final int WORD_COUNT = 40;

  private static final int BLOCK_SHIFT = 6;
  private static final int BLOCK = 1 << BLOCK_SHIFT;
  private static final long CEILING = Integer.MAX_VALUE;
  private static final long LOW = 0xffff_ffffL;
  private static final int SPINS = 100;

  private final int width;
  private final int depth;
  private final int panes;
  private final long[] words = new long[WORD_COUNT];
  private final long[] cells;
  private final int[] ring;
  private final long[] blockEpochs;
  private final long[] paneStarts;
  private final ExactSlots slots;

  WindowedStripe(int width, int depth, int panes, int slots) {
    this.width = width;
    this.depth = depth;
    this.panes = panes;
    this.cells = new long[depth * width];
    this.ring = new int[panes * cells.length];
    this.blockEpochs = new long[(cells.length + BLOCK - 1) >> BLOCK_SHIFT];
    this.paneStarts = new long[panes + 1];
    this.slots = new ExactSlots(slots, panes);
  }

  /** Takes the lock if it is free. */
  boolean tryLock() {
    return WORDS.weakCompareAndSetAcquire(words, LOCK, 0L, 1L);
  }

  /**
   * Takes the lock, spinning; a holder keeps it for a few dozen nanoseconds unless it is paused.
   */
  void lock() {
    for (int spins = 0; ; spins++) {
      if ((long) WORDS.getOpaque(words, LOCK) == 0 && tryLock()) {
        return;
      }
      pause(spins);
    }
  }

  /**
   * Waits a moment for a lock; after some rounds the holder must be paused, and may need this
   * processor.
   */
  @SuppressWarnings("ThreadPriorityCheck") // Nothing is decided by it; it only shortens a wait.
  static void pause(int round) {
    if (round < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  void unlock() {
    WORDS.setRelease(words, LOCK, 0L);
  }

  /**
   * Counts a touch in the given epoch, or a later one, and returns the parts of the estimate after
   * it, for {@link #whole} and {@link #present}.
   */
  long add(long hash, long weight, long epoch) {
    turnFor(hash, epoch);
    WORDS.setOpaque(words, TOUCHES, words[TOUCHES] + weight);
    return depth == 4 ? addFour(hash, weight) : addAny(hash, weight);
  }

  /** Returns the parts of the estimate of a hash in the given epoch, or a later one. */
  long estimate(long hash, long epoch) {
    turnFor(hash, epoch);
    return least(hash);
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

  /** Counts a touch of a key that has a slot, after {@link #add}. */
  boolean addExact(Slot slot, long weight, long estimate, long now) {
    return slots.add(slot, weight, estimate, words[EPOCH], (int) words[COLUMN], now);
  }

  long exact(Slot slot, long epoch) {
    turnTo(epoch);
    return slots.sum(slot, words[EPOCH], (int) words[COLUMN]);
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
      sums[sum] = (int) Math.min(CEILING, sums[sum] + whole(cells[first + position]));
    }
  }

  /** Returns true once in so many calls; the holder uses it to contest a place less often. */
  boolean everyNth(int powerOfTwo) {
    return (words[CONTESTS]++ & (powerOfTwo - 1)) == 0;
  }

  /** Returns the sum of the weights in the window as of this stripe's last use; for any thread. */
  long total() {
    return (long) WORDS.getOpaque(words, TOUCHES) - (long) WORDS.getOpaque(words, EXPIRED);
  }

  long touches() {
    return words[TOUCHES];
  }

  void turnTo(long epoch) {
    if (epoch > words[EPOCH]) {
      advance(epoch);
    }
  }

  /** Brings the stripe, and the cells of a hash, to an epoch. */
  private void turnFor(long hash, long epoch) {
    turnTo(epoch);
    if (words[LEFT] != 0) {
      turnBlocks(hash);
    }
  }

  /**
   * The default depth, with positions and cells kept in registers between the two passes, and no
   * branch: which row is the least, and which are raised, cannot be foretold.
   */
  private long addFour(long hash, long weight) {
    long[] cells = this.cells;
    int width = this.width;
    int i0 = Rows.position(hash, 0, width);
    int i1 = width + Rows.position(hash, 1, width);
    int i2 = 2 * width + Rows.position(hash, 2, width);
    int i3 = 3 * width + Rows.position(hash, 3, width);
    long c0 = cells[i0];
    long c1 = cells[i1];
    long c2 = cells[i2];
    long c3 = cells[i3];
    int least = Math.min(Math.min((int) c0, (int) c1), Math.min((int) c2, (int) c3));
    int older = Math.min(Math.min(older(c0), older(c1)), Math.min(older(c2), older(c3)));
    int present = (int) Math.min(CEILING, least + weight);
    cells[i0] = raised(c0, present);
    cells[i1] = raised(c1, present);
    cells[i2] = raised(c2, present);
    cells[i3] = raised(c3, present);
    return (long) older << Integer.SIZE | present;
  }

  private long addAny(long hash, long weight) {
    long least = least(hash);
    int present = (int) Math.min(CEILING, (least & LOW) + weight);
    for (int row = 0, from = 0; row < depth; row++, from += width) {
      int i = from + Rows.position(hash, row, width);
      cells[i] = raised(cells[i], present);
    }
    return (least & ~LOW) | present;
  }

  /** Returns the least older and the least present part of a hash's cells. */
  private long least(long hash) {
    int older = Integer.MAX_VALUE;
    int present = Integer.MAX_VALUE;
    for (int row = 0, from = 0; row < depth; row++, from += width) {
      long cell = cells[from + Rows.position(hash, row, width)];
      present = Math.min(present, (int) cell);
      older = Math.min(older, older(cell));
    }
    return (long) older << Integer.SIZE | present;
  }

  private static int older(long cell) {
    return (int) (cell >>> Integer.SIZE);
  }

  private static long raised(long cell, int present) {
    return (cell & ~LOW) | Math.max((int) cell, present);
  }

  private void advance(long epoch) {
    long gap = Math.min(epoch - words[EPOCH], paneStarts.length);
    for (long e = epoch - gap + 1; e <= epoch; e++) {
      paneStarts[(int) (e % paneStarts.length)] = words[TOUCHES];
    }
    WORDS.setOpaque(words, EXPIRED, paneStarts[(int) ((epoch + 1) % paneStarts.length)]);
    words[EPOCH] = epoch;
    words[COLUMN] = epoch % paneStarts.length;
    words[LEFT] = blockEpochs.length;
  }

  private void turnBlocks(long hash) {
    for (int r = 0; r < depth; r++) {
      turnBlock((r * width + Rows.position(hash, r, width)) >> BLOCK_SHIFT);
    }
    turnBlock((int) --words[LEFT]);
  }

  private void turnBlock(int block) {
    long epoch = words[EPOCH];
    long last = blockEpochs[block];
    if (last == epoch) {
      return;
    }
    blockEpochs[block] = epoch;
    int from = block << BLOCK_SHIFT;
    int to = Math.min(from + BLOCK, cells.length);
    if (epoch - last > panes) {
      Arrays.fill(cells, from, to, 0);
      for (int pane = 0; pane < panes; pane++) {
        Arrays.fill(ring, pane * cells.length + from, pane * cells.length + to, 0);
      }
      return;
    }
    for (long e = last; e < epoch; e++) {
      int pane = (int) (e % panes) * cells.length;
      for (int i = from; i < to; i++) {
        long cell = cells[i];
        long older = (cell >>> 32) + (cell & LOW) - ring[pane + i];
        ring[pane + i] = (int) cell;
        if (cell >>> 32 == CEILING) {
          older = sumOfRing(i);
        }
        cells[i] = Math.min(CEILING, older) << 32;
      }
    }
  }

  private long sumOfRing(int cell) {
    long sum = 0;
    for (int i = cell; i < ring.length; i += cells.length) {
      sum += ring[i];
    }
    return sum;
  }

  /** Returns the bytes of a stripe with its slots. */
  static long bytes(int width, int depth, int panes, int slots) {
    long cells = (long) width * depth;
    return cells * (Long.BYTES + (long) panes * Integer.BYTES)
        + ((cells + BLOCK - 1) >> BLOCK_SHIFT) * Long.BYTES
        + (panes + 1L) * Long.BYTES
        + (long) WORD_COUNT * Long.BYTES
        + ExactSlots.bytes(slots, panes)
        + 5 * 24
        + 64;
  }
}
