package io.heatshield.detect;

import java.util.Arrays;

/**
 * One stripe's exact counts of the keys that have a {@link Slot}, pane by pane, under the slots'
 * numbers.
 *
 * <p>Only the thread that holds the stripe calls it. A count begins at 0 when a number changes
 * hands, so it is never above the key's true count. Number 0 stands for all keys without a slot: it
 * is counted like any other, so that nobody has to ask which it is, and its count means nothing.
 */
final class ExactSlots {
  /*
   * counts[column * numbers + number]   with one column for the present pane and each full one, one after the other in a
   *                       ring. A turn clears the columns that expire, each at once. A count stops at the ceiling of an
   *                       int, which keeps it a lower bound.
   * generations[number]   the slot that the counts are of
   * seen[number]          the time of its last touch
   * renewAt[number]       the stripe's estimate at which the key's verdict is due again: 1/16 above the one at the last
   *                       renewal, and 0 in a new pane. A verdict is then allocated a few dozen times per pane and stripe,
   *                       whatever the rate. For number 0 it is the bar to a place as it was last seen.
   * judgeAt[number]       the stripe's estimate from which on touches are judged by all stripes, see Budgets; of a key
   *                       that is kept. A count that makes a key hot fits an int, and so does this.
   */
  private static final int RENEWAL_SHIFT = 4;
  private static final int NEVER = Integer.MAX_VALUE;

  private final int numbers;
  private final int[] counts;
  private final int[] generations;
  private final long[] seen;
  private final long[] renewAt;
  private final int[] judgeAt;

  /** Where the present column begins. */
  private int present;

  ExactSlots(int slots, int panes) {
    numbers = 1 + slots;
    counts = new int[numbers * (panes + 1)];
    generations = new int[numbers];
    seen = new long[numbers];
    renewAt = new long[numbers];
    judgeAt = new int[numbers];
    judgeAt[0] = NEVER;
  }

  /** Counts a touch and returns whether the slot's verdict is due for renewal. */
  boolean add(int number, int generation, long weight, long estimate, long now) {
    if (generations[number] != generation && !take(number, generation)) {
      return false;
    }
    int cell = present + number;
    counts[cell] = (int) Math.min(Integer.MAX_VALUE, counts[cell] + weight);
    seen[number] = now;
    return estimate >= renewAt[number];
  }

  /** Returns a negative number if a touch that made an estimate must be judged by all stripes. */
  long room(int number, long estimate) {
    return judgeAt[number] - 1L - estimate;
  }

  /** Has every touch of a slot judged. */
  void close(Slot slot) {
    if (isOf(slot) || take(slot.number, slot.generation)) {
      judgeAt[slot.number] = 0;
    }
  }

  void closeAll() {
    Arrays.fill(judgeAt, 1, numbers, 0);
  }

  /** Has touches of a slot judged from an estimate on. */
  void open(Slot slot, long from) {
    if (isOf(slot)) {
      judgeAt[slot.number] = (int) from;
    }
  }

  /** Notes that a slot's verdict was renewed at an estimate. */
  void renewed(int number, long estimate) {
    renewAt[number] = estimate + (estimate >> RENEWAL_SHIFT) + 1;
  }

  /** Sets the estimate at which a key without a slot is due. */
  void setBar(long bar) {
    renewAt[0] = bar;
  }

  /** Returns the touches of the slot's key in the window. */
  long sum(Slot slot) {
    long sum = 0;
    for (int cell = slot.number; isOf(slot) && cell < counts.length; cell += numbers) {
      sum += counts[cell];
    }
    return sum;
  }

  /** Returns how long ago the slot's key was touched, or {@code otherwise} when it was not. */
  long age(Slot slot, long now, long otherwise) {
    return isOf(slot) ? Math.max(0, now - seen[slot.number]) : otherwise;
  }

  /** Lets so many panes pass. */
  void turn(long panes) {
    for (long left = Math.min(panes, counts.length / numbers); left > 0; left--) {
      present = present + numbers < counts.length ? present + numbers : 0;
      Arrays.fill(counts, present, present + numbers, 0);
    }
    Arrays.fill(renewAt, 0);
  }

  /** Gives a number to a later slot; returns false if it belongs to a later one already. */
  private boolean take(int number, int generation) {
    if (generations[number] - generation > 0) {
      return false;
    }
    generations[number] = generation;
    renewAt[number] = 0;
    judgeAt[number] = number == 0 ? NEVER : 0;
    for (int cell = number; cell < counts.length; cell += numbers) {
      counts[cell] = 0;
    }
    return true;
  }

  private boolean isOf(Slot slot) {
    return generations[slot.number] == slot.generation;
  }

  static long bytes(int slots, int panes) {
    return (1L + slots) * (2L * Long.BYTES + (3L + panes) * Integer.BYTES) + 5 * 16 + 48;
  }
}
