package io.heatshield.ring;

import io.heatshield.sketch.Rows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A small sketch of the keys that a full ring has refused: evidence for the contest, never a count.
 *
 * <p>Four rows of {@value #WIDTH} cells, 256 KiB. A cell halves with every epoch, which is 4096
 * refusals: so junk that comes once, however much of it, is taken for a key that comes back at most
 * once in 500 times. Threads that race may lose a raise, and the key then needs one touch more.
 */
final class Refused {
  /*
   * cells[i]   [epoch 8 | count 24]   read: opaque   write: opaque
   * refusals   read: opaque           write: opaque
   *
   * Nothing is published through a cell and nothing depends on every raise being there.
   */
  static final int WIDTH = 1 << 14;

  private static final int ROWS = 4;
  private static final int EPOCH = WIDTH / 4;
  private static final int COUNT_BITS = 24;
  private static final int COUNT_MAX = (1 << COUNT_BITS) - 1;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle REFUSALS;

  static {
    try {
      REFUSALS = MethodHandles.lookup().findVarHandle(Refused.class, "refusals", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int[] cells = new int[ROWS * WIDTH];

  @SuppressWarnings("unused") // reached through REFUSALS
  private long refusals;

  /** Counts one refusal of a key and returns how many it had lately, itself included. */
  long raise(long hash) {
    long number = (long) REFUSALS.getOpaque(this);
    REFUSALS.setOpaque(this, number + 1);
    int epoch = (int) (number / EPOCH) & 0xff;
    int least = COUNT_MAX - 1;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, count((int) CELL.getOpaque(cells, index(hash, row)), epoch));
    }
    int raised = least + 1;
    for (int row = 0; row < ROWS; row++) {
      int i = index(hash, row);
      int count = Math.max(raised, count((int) CELL.getOpaque(cells, i), epoch));
      CELL.setOpaque(cells, i, (epoch << COUNT_BITS) | count);
    }
    return raised;
  }

  /** Returns how many refusals a key had lately, and counts none. */
  long look(long hash) {
    int epoch = (int) ((long) REFUSALS.getOpaque(this) / EPOCH) & 0xff;
    int least = COUNT_MAX;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, count((int) CELL.getOpaque(cells, index(hash, row)), epoch));
    }
    return least;
  }

  private static int count(int cell, int epoch) {
    int age = (epoch - (cell >>> COUNT_BITS)) & 0xff;
    return age >= COUNT_BITS ? 0 : (cell & COUNT_MAX) >>> age;
  }

  private static int index(long hash, int row) {
    return row * WIDTH + Rows.position(hash, row, WIDTH);
  }
}
