package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;

/**
 * An entry of a ring without a window. It has one count for each generation; the total is the count
 * of the active one.
 */
final class GenerationEntry extends Entry {
  /** The warm generation's count. Volatile; written only while the entry is locked. */
  private volatile long warmCount;

  GenerationEntry(long hash, byte scope, byte[] key, long epoch) {
    super(hash, scope, key, epoch);
  }

  @Override
  long warmCount() {
    return warmCount;
  }

  @Override
  long age(long total, WindowClock clock, Epoch now) {
    int rotations = now.generationsSince(epoch());
    if (rotations >= 2) {
      warmCount = 0;
      return 0;
    }
    long decays = now.number() - epoch() - rotations;
    if (rotations == 1) {
      warmCount = clock.decayed(total, decays);
      return 0;
    }
    warmCount = clock.decayed(warmCount, decays);
    return clock.decayed(total, decays);
  }

  @Override
  boolean hasExpired(WindowClock clock, Epoch now) {
    long from = epoch();
    int rotations = now.generationsSince(from);
    if (rotations >= 2) {
      return true;
    }
    long active = state() & TOTAL;
    long count = rotations == 1 ? active : Math.max(active, warmCount);
    return clock.decayed(count, Math.max(now.number() - from - rotations, 0)) == 0;
  }

  @Override
  long waitNanos(long limit, WindowClock clock, long nanos) {
    long active = state() & TOTAL;
    long wait = decayNanos(maxWithWarm(active), limit, clock, nanos);
    if (clock.rotationNanos() > 0 && limit > 0) {
      // The next rotation drops the warm count, and the one after it drops the active count.
      long rotation = clock.epochAt(nanos).rotationEnd() - nanos;
      long withoutWarm = Math.max(rotation, decayNanos(active, limit, clock, nanos));
      wait = Math.min(wait, Math.min(withoutWarm, rotation + clock.rotationNanos()));
    }
    return Math.max(wait, 0);
  }

  /** Returns the time until a count has decayed below the limit. */
  private static long decayNanos(long count, long limit, WindowClock clock, long nanos) {
    if (limit > 0 && count < limit) {
      return 0;
    }
    if (limit <= 0 || !clock.decays()) {
      return EntryTable.NEVER_NANOS;
    }
    long intervals = 1;
    while (clock.decayed(count, intervals) >= limit) {
      intervals++;
    }
    return clock.epochAt(nanos).periodEnd() - nanos + (intervals - 1) * clock.periodNanos();
  }
}
