package io.heatshield.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A stripe of unsigned 32-bit counters. */
final class IntStripe extends Stripe {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
  private static final long CEILING = 0xffff_ffffL;

  private final int[] cells;

  IntStripe(int width, int depth, Update update) {
    super(width, depth, update);
    this.cells = new int[width * depth];
  }

  @Override
  long estimate(long hash) {
    long least = CEILING;
    for (int row = 0, from = 0; row < depth; row++, from += width) {
      least = Math.min(least, cell(from + Rows.position(hash, row, width)));
    }
    return least;
  }

  @Override
  long raise(long hash, long n) {
    return depth == 4 ? raiseFour(hash, n) : raiseAny(hash, n);
  }

  /**
   * The default depth, with positions and values kept in registers between the two passes, and no
   * branch: which row is the least, and which are raised, cannot be foretold.
   */
  private long raiseFour(long hash, long n) {
    int[] cells = this.cells;
    int width = this.width;
    int i0 = Rows.position(hash, 0, width);
    int i1 = width + Rows.position(hash, 1, width);
    int i2 = 2 * width + Rows.position(hash, 2, width);
    int i3 = 3 * width + Rows.position(hash, 3, width);
    long v0 = Integer.toUnsignedLong(cells[i0]);
    long v1 = Integer.toUnsignedLong(cells[i1]);
    long v2 = Integer.toUnsignedLong(cells[i2]);
    long v3 = Integer.toUnsignedLong(cells[i3]);
    long to = capped(lower(lower(v0, v1), lower(v2, v3)), n);
    CELL.setOpaque(cells, i0, (int) higher(v0, to));
    CELL.setOpaque(cells, i1, (int) higher(v1, to));
    CELL.setOpaque(cells, i2, (int) higher(v2, to));
    CELL.setOpaque(cells, i3, (int) higher(v3, to));
    return to;
  }

  private static long lower(long a, long b) {
    long difference = a - b;
    return b + (difference & (difference >> (Long.SIZE - 1)));
  }

  private static long higher(long a, long b) {
    long difference = a - b;
    return a - (difference & (difference >> (Long.SIZE - 1)));
  }

  private long raiseAny(long hash, long n) {
    long to = capped(estimate(hash), n);
    for (int row = 0, from = 0; row < depth; row++, from += width) {
      int i = from + Rows.position(hash, row, width);
      if (cell(i) < to) {
        setCell(i, to);
      }
    }
    return to;
  }

  @Override
  long cell(int i) {
    return Integer.toUnsignedLong((int) CELL.getOpaque(cells, i));
  }

  @Override
  void setCell(int i, long value) {
    CELL.setOpaque(cells, i, (int) value);
  }

  @Override
  int length() {
    return cells.length;
  }

  @Override
  long ceiling() {
    return CEILING;
  }
}
