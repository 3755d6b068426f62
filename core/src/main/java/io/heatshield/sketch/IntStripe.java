package io.heatshield.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A stripe of unsigned 32-bit counters. */
final class IntStripe extends SketchStripe {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
  private static final long CEILING = 0xffff_ffffL;

  private final int[] cells;

  IntStripe(int width, int depth, Update update) {
    super(width, depth, update);
    this.cells = new int[width * depth];
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
