package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** An entry of a ring with a sliding window. The total is the count of the whole window. */
final class WindowEntry extends Entry {
  /*
   * recent   slots of age 1 to 4, 16 bits each, age 1 in the lowest bits
   * older    slots of age 5 to 8, in the same way
   * wide     one long per slot, used instead of recent and older if the window has more than 9
   *          slots, or after a slot has exceeded 65,535
   *
   *   all three   read: plain   write: plain, while the entry is locked
   *
   * The age of a slot is the number of slots that began after it. The current slot, of age 0, has
   * no field: its count is the total less the counts of the other slots. With 16 bits per slot, an
   * entry takes 64 bytes. Most entries of a ring are cold and never need more.
   *
   * Only waitNanos reads the slots without the lock. It reads the epoch and the state before and
   * after them and repeats if either shows an advance in between, as in a sequence lock. Pinned by
   * HotRingTimeTest and HotRingPropertyTest.
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
  long warmCount() {
    return 0;
  }

  @Override
  long age(long total, WindowClock clock, Epoch now) {
    long steps = now.periodsSince(epoch());
    if (steps == 0) {
      return total;
    }
    int oldest = clock.slots() - 1;
    long current = total;
    for (int age = 1; age <= oldest; age++) {
      current -= slot(age);
    }
    if (current > LANE_MAX && steps <= oldest && wide == null) {
      widen(oldest);
    }
    long remaining = 0;
    for (int age = oldest; age > 0; age--) {
      long count = age > steps ? slot((int) (age - steps)) : age == steps ? current : 0;
      setSlot(age, count);
      remaining += count;
    }
    if (remaining == 0 && oldest <= LANES) {
      wide = null;
    }
    return remaining;
  }

  @Override
  boolean hasExpired(WindowClock clock, Epoch now) {
    return (state() & TOTAL) == 0 || now.periodsSince(epoch()) >= clock.slots();
  }

  @Override
  long waitNanos(long limit, WindowClock clock, long nanos) {
    while (limit > 0) {
      long before = epoch();
      long excess = (unlockedState() & TOTAL) - limit + 1;
      int age = ageToExpire(excess, clock.slots() - 1);
      VarHandle.acquireFence();
      if ((state() & LOCKED) == 0 && epoch() == before) {
        long slotEnd = clock.epochAt(nanos).periodEnd() - nanos;
        long wait = slotEnd + (clock.slots() - 1L - age) * clock.periodNanos();
        return excess <= 0 ? 0 : Math.max(wait, 0);
      }
    }
    return EntryTable.NEVER_NANOS;
  }

  /** Returns the age of the slot that must expire, with all older ones, to remove an excess. */
  private int ageToExpire(long excess, int oldest) {
    long remaining = excess;
    for (int age = oldest; age > 0; age--) {
      remaining -= slot(age);
      if (remaining <= 0) {
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
