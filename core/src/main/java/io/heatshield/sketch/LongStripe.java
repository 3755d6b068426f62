package io.heatshield.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A stripe of 64-bit counters, of which 63 bits are used. */
final class LongStripe extends SketchStripe {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells;

  LongStripe(int width, int depth, Update update) {
    super(width, depth, update);
    this.cells = new long[width * depth];
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
