package io.heatshield.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * Counts the first uses of keys in a byte each.
 *
 * <p>Keys share cells by their hash, and a cell takes {@value #MOST} uses in a window: a key goes
 * past it with its fourth use at the latest, or earlier by the uses of others. Once past it a key
 * stays so while it is used at least once in a window. Any thread may call; one byte for each cell.
 */
final class FirstUses {
  /*
   * cells[i]   [window 4 | uses in the window before 2 | in the present one 2]
   *
   *   read: opaque   write: weak CAS, plain
   *
   * Windows here are a power of two of nanoseconds, at least as long as the ring's, so that the present one and the
   * one before hold every use of the ring's. Everything is in one byte, and nothing is published through it. A cell
   * that was left alone for 16 windows, or 17, may let a key pass early, which is no harm. Pinned by FirstUsesTest,
   * GatedRingPropertyTest and BoardStress. See ADR-0063.
   */
  static final int MOST = 3;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(byte[].class);
  private static final int COUNT_BITS = 2;
  private static final int COUNT = (1 << COUNT_BITS) - 1;
  private static final int WINDOW_SHIFT = 2 * COUNT_BITS;
  private static final int WINDOWS = 1 << (Byte.SIZE - WINDOW_SHIFT);

  /** Enough for ten million uses a second in a window of two. */
  private static final long MOST_CELLS = 1 << 26;

  private final byte[] cells;
  private final int windowShift;

  /** Creates one for a ring with such a window that takes at most so many bytes, 1 or more. */
  FirstUses(Duration window, long maxBytes) {
    this.cells = new byte[(int) Long.highestOneBit(Math.min(maxBytes, MOST_CELLS))];
    this.windowShift = Long.SIZE - Long.numberOfLeadingZeros(window.toNanos() - 1);
  }

  /** Returns the key's cell as it is, for {@link #takes}: who looks early does not wait later. */
  byte look(long hash) {
    return (byte) CELL.getOpaque(cells, place(hash));
  }

  /**
   * Counts a use and returns true, or returns false if the key's cell has enough of them.
   *
   * @param seen what the cell was when it was looked at
   */
  boolean takes(long hash, long now, byte seen) {
    byte[] in = cells;
    int i = place(hash);
    int window = (int) (now >>> windowShift) & (WINDOWS - 1);
    for (byte cell = seen; ; cell = (byte) CELL.getOpaque(in, i)) {
      int behind = (window - (cell >> WINDOW_SHIFT)) & (WINDOWS - 1);
      int before = behind == 0 ? cell >> COUNT_BITS & COUNT : behind == 1 ? cell & COUNT : 0;
      int present = behind == 0 ? cell & COUNT : 0;
      boolean takes = before + present < MOST;
      if (!takes && present == MOST) {
        return false;
      }
      int next = takes ? present + 1 : MOST;
      byte then = (byte) (window << WINDOW_SHIFT | before << COUNT_BITS | next);
      if (CELL.weakCompareAndSetPlain(in, i, cell, then)) {
        return takes;
      }
    }
  }

  long bytes() {
    return cells.length;
  }

  private int place(long hash) {
    return (int) (hash >>> Integer.SIZE) & (cells.length - 1);
  }
}
