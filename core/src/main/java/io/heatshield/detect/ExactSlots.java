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
   * words[slot * WORDS + ...], side by side because a touch needs them all:
   *
   * OWNER    generation << 32 | epoch, the key and the pane of the last touch
   * SEEN     the time of the last touch
   * RENEW    the stripe's estimate at which the key's verdict is due again: 1/16 above the one at the last renewal, and
   *          0 in a new pane. A verdict is then allocated a few dozen times per pane and stripe, whatever the rate.
   *
   * counts[slot * columns + epoch % columns], with one column for the present pane and each full one. Columns that have
   * expired since a slot was last used are cleared when it is next used. A count stops at the ceiling of an int, which
   * keeps it a lower bound.
   */
  private static final int OWNER = 0;
  private static final int SEEN = 1;
  private static final int RENEW = 2;
  private static final int WORDS = 3;
  private static final int RENEWAL_SHIFT = 4;

  private final int columns;
  private final long[] words;
  private final int[] counts;

  ExactSlots(int slots, int panes) {
    columns = panes + 1;
    words = new long[slots * WORDS];
    counts = new int[slots * columns];
  }

  /** Counts a touch and returns whether the slot's verdict is due for renewal. */
  boolean add(Slot slot, long weight, long estimate, long epoch, int column, long now) {
    int at = slot.number * WORDS;
    if (words[at + OWNER] != owner(slot, epoch) && !turn(slot, epoch, column)) {
      return false;
    }
    int cell = slot.number * columns + column;
    counts[cell] = (int) Math.min(Integer.MAX_VALUE, counts[cell] + weight);
    words[at + SEEN] = now;
    if (estimate < words[at + RENEW]) {
      return false;
    }
    words[at + RENEW] = estimate + (estimate >> RENEWAL_SHIFT) + 1;
    return true;
  }

  /** Returns the touches of the slot's key in the window. */
  long sum(Slot slot, long epoch, int column) {
    if (!isOf(slot)) {
      return 0;
    }
    turn(slot, epoch, column);
    int from = slot.number * columns;
    long sum = 0;
    for (int c = 0; c < columns; c++) {
      sum += counts[from + c];
    }
    return sum;
  }

  /** Returns how long ago the slot's key was touched, or {@code otherwise} when it was not. */
  long age(Slot slot, long now, long otherwise) {
    return isOf(slot) ? Math.max(0, now - words[slot.number * WORDS + SEEN]) : otherwise;
  }

  /** Makes the slot's columns those of the epoch; returns false if it belongs to a later key. */
  private boolean turn(Slot slot, long epoch, int column) {
    int at = slot.number * WORDS;
    long owner = words[at + OWNER];
    if (owner == owner(slot, epoch)) {
      return true;
    }
    int generation = (int) (owner >>> Integer.SIZE);
    if (generation - slot.generation > 0) {
      return false;
    }
    int gap = generation == slot.generation ? (int) epoch - (int) owner : columns;
    int from = slot.number * columns;
    if (gap >= columns || gap < 0) {
      Arrays.fill(counts, from, from + columns, 0);
    } else {
      for (int c = column, left = gap; left > 0; left--) {
        counts[from + c] = 0;
        c = c == 0 ? columns - 1 : c - 1;
      }
    }
    words[at + OWNER] = owner(slot, epoch);
    words[at + RENEW] = 0;
    return true;
  }

  private boolean isOf(Slot slot) {
    return (int) (words[slot.number * WORDS + OWNER] >>> Integer.SIZE) == slot.generation;
  }

  private static long owner(Slot slot, long epoch) {
    return (long) slot.generation << Integer.SIZE | (epoch & 0xffff_ffffL);
  }

  static long bytes(int slots, int panes) {
    return slots * ((long) WORDS * Long.BYTES + (panes + 1L) * Integer.BYTES) + 2 * 16 + 32;
  }
}
