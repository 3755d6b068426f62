package io.heatshield.detect;

import java.util.Arrays;

/**
 * One stripe's exact counts of the keys that have a {@link Slot}, pane by pane.
 *
 * <p>Only the thread that holds the stripe calls it. A count begins at 0 when a slot changes hands,
 * so it is never above the key's true count.
 */
final class ExactSlots {
  /*
   * counts[slot * columns + epoch % columns], with one column for the present pane and each full one. Columns that have
   * expired since a slot was last used are cleared when it is next used. A count stops at the ceiling of an int, which
   * keeps it a lower bound.
   *
   * renewAt[slot] is the stripe's estimate at which the key's verdict is due again: 1/16 above the one at the last
   * renewal, and 0 in a new pane. A verdict is then allocated a few dozen times per pane and stripe, whatever the rate.
   */
  private static final int RENEWAL_SHIFT = 4;

  private final int columns;
  private final int[] counts;
  private final int[] epochs;
  private final int[] generations;
  private final int[] renewAt;
  private final long[] seen;

  ExactSlots(int slots, int panes) {
    columns = panes + 1;
    counts = new int[slots * columns];
    epochs = new int[slots];
    generations = new int[slots];
    renewAt = new int[slots];
    seen = new long[slots];
  }

  /** Counts a touch and returns whether the slot's verdict is due for renewal. */
  boolean add(Slot slot, long weight, long estimate, long epoch, int column, long now) {
    int i = slot.number;
    if (!turn(slot, epoch, column)) {
      return false;
    }
    int at = i * columns + column;
    counts[at] = (int) Math.min(Integer.MAX_VALUE, counts[at] + weight);
    seen[i] = now;
    if (estimate < renewAt[i]) {
      return false;
    }
    renewAt[i] = (int) Math.min(Integer.MAX_VALUE, estimate + (estimate >> RENEWAL_SHIFT) + 1);
    return true;
  }

  /** Returns the touches of the slot's key in the window. */
  long sum(Slot slot, long epoch, int column) {
    if (generations[slot.number] != slot.generation) {
      return 0;
    }
    turn(slot, epoch, column);
    long sum = 0;
    for (int c = 0; c < columns; c++) {
      sum += counts[slot.number * columns + c];
    }
    return sum;
  }

  /** Returns how long ago the slot's key was touched, or {@code otherwise} when it was not. */
  long age(Slot slot, long now, long otherwise) {
    int i = slot.number;
    return generations[i] == slot.generation ? Math.max(0, now - seen[i]) : otherwise;
  }

  /** Makes the slot's columns those of the epoch; returns false if it belongs to a later key. */
  private boolean turn(Slot slot, long epoch, int column) {
    int i = slot.number;
    if (generations[i] == slot.generation && epochs[i] == (int) epoch) {
      return true;
    }
    if (generations[i] - slot.generation > 0) {
      return false;
    }
    int gap = generations[i] == slot.generation ? (int) epoch - epochs[i] : columns;
    int from = i * columns;
    if (gap >= columns || gap < 0) {
      Arrays.fill(counts, from, from + columns, 0);
    } else {
      for (int c = column, left = gap; left > 0; left--) {
        counts[from + c] = 0;
        c = c == 0 ? columns - 1 : c - 1;
      }
    }
    generations[i] = slot.generation;
    epochs[i] = (int) epoch;
    renewAt[i] = 0;
    return true;
  }

  static long bytes(int slots, int panes) {
    return slots * (Long.BYTES + (panes + 4L) * Integer.BYTES) + 5 * 16 + 48;
  }
}
