package io.heatshield.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** A stripe of 64-bit counters, of which 63 bits are used. */
final class LongStripe extends SketchStripe {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells;

  LongStripe(int width, int depth, long[] cells) {
    super(width, depth);
    this.cells = cells;
  }

  @Override
  SketchStripe copyCells(int length) {
    return new LongStripe(width, depth, Arrays.copyOf(cells, length));
  }

  @Override
  long cell(int i) {
    return (long) CELL.getOpaque(cells, i);
  }

  @Override
  void setCell(int i, long value) {
    CELL.setOpaque(cells, i, value);
  }

  @Override
  int length() {
    return cells.length;
  }

  @Override
  long ceiling() {
    return Long.MAX_VALUE;
  }
}
