package io.heatshield.ring;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An entry with a sliding window: the total is the whole window's, the slots before are beside. */
final class WindowEntry extends TimedEntry {
  /*
   * recent   ages 1 to 4, 16 bits each, the youngest lowest          older   ages 5 to 8
   * wide     all ages as long, instead of the lanes: if there are more than 9 slots, or once a slot passes 65,535
   *
   * The present slot (age 0) is what the total has more than the slots before it. The lanes keep a cold key, the mass
   * of a ring, in 64 bytes. They are written only while held; roomNanos reads them as TimedEntry says.
   */
  static final int LANES = 8;
  private static final int LANE_BITS = 16;
  private static final long LANE_MAX = (1L << LANE_BITS) - 1;

  private long recent;
  private long older;
  private long @Nullable [] wide;

  WindowEntry(long hash, byte scope, byte[] key, long beat, int slots) {
    super(hash, scope, key, beat);
    wide = slots - 1 > LANES ? new long[slots - 1] : null;
  }

  /** Takes over what was noted of the key, instead of being born with one touch. */
  void inherit(long word, Moment moment) {
    int touches = Singles.count(word);
    for (int touch = 0; touch < touches; touch++) {
      int age = (int) moment.periodsSince(Singles.beat(word, touch));
      if (wide != null && age > 0) {
        wide[age - 1]++;
      } else if (age > LANES / 2) {
        older += 1L << ((age - 1 - LANES / 2) * LANE_BITS);
      } else if (age > 0) {
        recent += 1L << ((age - 1) * LANE_BITS);
      }
    }
    inherits(touches, moment);
  }

  @Override
  long move(long total, Beats beats, Moment moment) {
    int slots = beats.slots();
    long steps = moment.periodsSince(beat());
    if (steps == 0) {
      return total;
    }
    if (steps >= slots) {
      clear(slots);
      return 0;
    }
    int by = (int) steps;
    long[] counts = wide;
    long present = total - earlier();
    if (counts == null && present > LANE_MAX) {
      counts = widened(slots);
    }
    if (counts == null) {
      push(present, by, slots);
    } else {
      System.arraycopy(counts, 0, counts, by, counts.length - by);
      Arrays.fill(counts, 0, by, 0);
      counts[by - 1] = present;
      wide = counts;
    }
    return earlier();
  }

  @Override
  boolean hasRunOut(Beats beats, Moment moment) {
    return (state() & TOTAL) == 0 || moment.periodsSince(beat()) >= beats.slots();
  }

  @Override
  long roomNanos(long limit, Beats beats, Moment moment, long now) {
    while (limit > 0) {
      long from = beat();
      long excess = (quietState() & TOTAL) - limit + 1;
      int age = wide == null && excess == 1 ? oldest() : ageThatFrees(excess, beats.slots());
      VarHandle.acquireFence();
      if ((state() & HELD) == 0 && beat() == from) {
        long wait = moment.periodEnd() - now + (beats.slots() - 1L - age) * beats.periodNanos();
        return excess <= 0 ? 0 : Math.max(wait, 0);
      }
    }
    return Clamp.NEVER;
  }

  @Override
  long beside() {
    return 0;
  }

  /**
   * Returns the age of the oldest slot with a touch, which frees a place: all that a clamp needs.
   */
  private int oldest() {
    long o = older;
    return o != 0
        ? LANES - Long.numberOfLeadingZeros(o) / LANE_BITS
        : LANES / 2 - Long.numberOfLeadingZeros(recent) / LANE_BITS;
  }

  /** Returns the age of the slot whose end, after that of all older ones, takes away the excess. */
  private int ageThatFrees(long excess, int slots) {
    long rest = excess;
    long[] counts = wide;
    if (counts != null) {
      for (int age = slots - 1; age > 0; age--) {
        rest -= counts[age - 1];
        if (rest <= 0) {
          return age;
        }
      }
      return 0;
    }
    int age = oldestThatFrees(older, rest);
    return age > 0 ? age + LANES / 2 : oldestThatFrees(recent, rest - sumOf(older));
  }

  /** Returns the age within four lanes, 1 to 4, or 0 if all four together are less. */
  private static int oldestThatFrees(long lanes, long excess) {
    long rest = excess;
    for (long l = lanes; l != 0; ) {
      int at = (Long.SIZE - 1 - Long.numberOfLeadingZeros(l)) / LANE_BITS;
      rest -= l >>> (at * LANE_BITS);
      if (rest <= 0) {
        return at + 1;
      }
      l &= (1L << (at * LANE_BITS)) - 1;
    }
    return 0;
  }

  private long lane(int age) {
    int at = age - 1;
    return (at < 4 ? recent >>> (at * LANE_BITS) : older >>> ((at - 4) * LANE_BITS)) & LANE_MAX;
  }

  private long earlier() {
    long[] counts = wide;
    if (counts == null) {
      return sumOf(recent) + sumOf(older);
    }
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  private static long sumOf(long lanes) {
    return (lanes & LANE_MAX)
        + ((lanes >>> LANE_BITS) & LANE_MAX)
        + ((lanes >>> (2 * LANE_BITS)) & LANE_MAX)
        + (lanes >>> (3 * LANE_BITS));
  }

  /** Ages the lanes by 1 to 8 steps and puts the slot that was present into its new place. */
  private void push(long present, int by, int slots) {
    long r = recent;
    long o = older;
    for (int i = 0; i < by; i++) {
      o = (o << LANE_BITS) | (r >>> (3 * LANE_BITS));
      r = (r << LANE_BITS) | (i == 0 ? present : 0);
    }
    int kept = slots - 1;
    recent = kept >= 4 ? r : r & ((1L << (kept * LANE_BITS)) - 1);
    older = kept >= 8 ? o : kept <= 4 ? 0 : o & ((1L << ((kept - 4) * LANE_BITS)) - 1);
  }

  private long[] widened(int slots) {
    long[] counts = new long[slots - 1];
    for (int age = 1; age < slots; age++) {
      counts[age - 1] = lane(age);
    }
    return counts;
  }

  private void clear(int slots) {
    recent = 0;
    older = 0;
    long[] counts = wide;
    if (counts != null && slots - 1 > LANES) {
      Arrays.fill(counts, 0);
    } else if (counts != null) {
      wide = null;
    }
  }
}
