package io.heatshield.bench;

import io.heatshield.count.Rows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The alternatives for sharing a sketch that ADR-0006 rejected, for comparison. */
final class SketchVariants {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);

  private SketchVariants() {}

  /** Conservative: touches of one key exclude each other, and cells are set to the maximum. */
  static final class LockPerKey {
    private static final int APART = 16;

    private final int width;
    private final int depth;
    private final int[] cells;
    private final int[] locks;
    private final int mask;

    LockPerKey(int width, int depth, int locks) {
      this.width = width;
      this.depth = depth;
      this.cells = new int[width * depth];
      this.locks = new int[locks * APART];
      this.mask = locks - 1;
    }

    long add(long hash) {
      int lock = ((int) hash & mask) * APART;
      while (!CELL.weakCompareAndSetAcquire(locks, lock, 0, 1)) {
        Thread.onSpinWait();
      }
      try {
        int to = Integer.MAX_VALUE;
        for (int row = 0; row < depth; row++) {
          to = Math.min(to, (int) CELL.getOpaque(cells, at(hash, row)));
        }
        to++;
        for (int row = 0; row < depth; row++) {
          raise(at(hash, row), to);
        }
        return to;
      } finally {
        CELL.setRelease(locks, lock, 0);
      }
    }

    /** A key with another lock may update the same cell, so this uses compare-and-set. */
    private void raise(int i, int to) {
      int value = (int) CELL.getOpaque(cells, i);
      while (value < to && !CELL.weakCompareAndSetPlain(cells, i, value, to)) {
        value = (int) CELL.getOpaque(cells, i);
      }
    }

    private int at(long hash, int row) {
      return row * width + Rows.position(hash, row, width);
    }
  }

  /** Additive: every cell of the key by an atomic add. */
  static final class AtomicAdds {
    private final int width;
    private final int depth;
    private final int[] cells;

    AtomicAdds(int width, int depth) {
      this.width = width;
      this.depth = depth;
      this.cells = new int[width * depth];
    }

    long add(long hash) {
      int least = Integer.MAX_VALUE;
      for (int row = 0; row < depth; row++) {
        int i = row * width + Rows.position(hash, row, width);
        least = Math.min(least, (int) CELL.getAndAdd(cells, i, 1) + 1);
      }
      return least;
    }
  }

  /** Conservative and wrong: shared without a lock, it loses touches. */
  static final class NaiveShared {
    private final int width;
    private final int depth;
    private final int[] cells;

    NaiveShared(int width, int depth) {
      this.width = width;
      this.depth = depth;
      this.cells = new int[width * depth];
    }

    long add(long hash) {
      int to = Integer.MAX_VALUE;
      for (int row = 0; row < depth; row++) {
        to = Math.min(to, cells[row * width + Rows.position(hash, row, width)]);
      }
      to++;
      for (int row = 0; row < depth; row++) {
        int i = row * width + Rows.position(hash, row, width);
        if (cells[i] < to) {
          cells[i] = to;
        }
      }
      return to;
    }
  }
}
