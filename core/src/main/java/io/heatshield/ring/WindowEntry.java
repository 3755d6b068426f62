package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** An entry with a sliding window: the total is the whole window's. */
final class WindowEntry extends Entry {
  /*
   * recent   ages 1 to 4, 16 bits each, the youngest lowest          older   ages 5 to 8
   * wide     all ages as long, instead of the lanes: if there are more than 9 slots, or once a slot passes 65,535
   *
   * The age of a slot is how many slots ended since it did. The present slot (age 0) is what the
   * total has more than the slots before it. The lanes keep a cold key, which most keys of a ring
   * are, in 64 bytes. They are written only while locked; roomNanos reads them as Entry says.
   */
  static final int LANES = 8;
  private static final int LANES_PER_WORD = 4;
  private static final int LANE_BITS = 16;
  private static final long LANE_MAX = (1L << LANE_BITS) - 1;

  private long recent;
  private long older;
  private long @Nullable [] wide;

  WindowEntry(long hash, byte scope, byte[] key, long epoch, int slots) {
    super(hash, scope, key, epoch);
    wide = slots - 1 > LANES ? new long[slots - 1] : null;
  }

  @Override
  long warm() {
    return 0;
  }

  @Override
  long move(long total, WindowClock clock, Epoch now) {
    long steps = now.periodsSince(epoch());
    if (steps == 0) {
      return total;
    }
    int oldest = clock.slots() - 1;
    long present = total;
    for (int age = 1; age <= oldest; age++) {
      present -= slot(age);
    }
    if (present > LANE_MAX && steps <= oldest && wide == null) {
      widen(oldest);
    }
    long left = 0;
    for (int age = oldest; age > 0; age--) {
      long count = age > steps ? slot((int) (age - steps)) : age == steps ? present : 0;
      setSlot(age, count);
      left += count;
    }
    if (left == 0 && oldest <= LANES) {
      wide = null;
    }
    return left;
  }

  @Override
  boolean hasExpired(WindowClock clock, Epoch now) {
    return (state() & TOTAL) == 0 || now.periodsSince(epoch()) >= clock.slots();
  }

  @Override
  long roomNanos(long limit, WindowClock clock, long nanos) {
    while (limit > 0) {
      long from = epoch();
      long excess = (unlockedState() & TOTAL) - limit + 1;
      int age = ageThatFrees(excess, clock.slots() - 1);
      VarHandle.acquireFence();
      if ((state() & LOCKED) == 0 && epoch() == from) {
        long slotEnd = clock.at(nanos).periodEnd() - nanos;
        long wait = slotEnd + (clock.slots() - 1L - age) * clock.periodNanos();
        return excess <= 0 ? 0 : Math.max(wait, 0);
      }
    }
    return Clamp.NEVER;
  }

  /** Returns the age of the slot whose end, after that of all older ones, takes away the excess. */
  private int ageThatFrees(long excess, int oldest) {
    long rest = excess;
    for (int age = oldest; age > 0; age--) {
      rest -= slot(age);
      if (rest <= 0) {
        return age;
      }
    }
    return 0;
  }

  private long slot(int age) {
    long[] counts = wide;
    return counts != null ? counts[age - 1] : word(age) >>> shift(age) & LANE_MAX;
  }

  private void setSlot(int age, long count) {
    long[] counts = wide;
    if (counts != null) {
      counts[age - 1] = count;
      return;
    }
    long word = (word(age) & ~(LANE_MAX << shift(age))) | (count << shift(age));
    if (age <= LANES_PER_WORD) {
      recent = word;
    } else {
      older = word;
    }
  }

  private void widen(int oldest) {
    long[] counts = new long[oldest];
    for (int age = 1; age <= oldest; age++) {
      counts[age - 1] = slot(age);
    }
    wide = counts;
    recent = 0;
    older = 0;
  }

  private long word(int age) {
    return age <= LANES_PER_WORD ? recent : older;
  }

  private static int shift(int age) {
    return (age - 1) % LANES_PER_WORD * LANE_BITS;
  }
}
