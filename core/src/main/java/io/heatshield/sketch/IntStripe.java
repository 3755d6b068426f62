package io.heatshield.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** A stripe of unsigned 32-bit counters. */
final class IntStripe extends SketchStripe {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
  private static final long CEILING = 0xffff_ffffL;

  private final int[] cells;

  IntStripe(int width, int depth, int[] cells) {
    super(width, depth);
    this.cells = cells;
  }

  @Override
  SketchStripe copyCells(int length) {
    return new IntStripe(width, depth, Arrays.copyOf(cells, length));
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
