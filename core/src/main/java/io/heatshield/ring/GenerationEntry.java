package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;

/**
 * An entry without a window, with one count for each generation: the total is the active one's.
 *
 * <p>Counts decay and rotate if the ring does; otherwise they only grow.
 */
final class GenerationEntry extends Entry {
  /** The warm generation's count; written only while locked. */
  private volatile long warm;

  GenerationEntry(long hash, byte scope, byte[] key, long epoch) {
    super(hash, scope, key, epoch);
  }

  @Override
  long warm() {
    return warm;
  }

  @Override
  long move(long total, WindowClock clock, Epoch now) {
    int rotations = now.generationsSince(epoch());
    if (rotations >= 2) {
      warm = 0;
      return 0;
    }
    long decays = now.number() - epoch() - rotations;
    if (rotations == 1) {
      warm = clock.decayed(total, decays);
      return 0;
    }
    warm = clock.decayed(warm, decays);
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
    long most = rotations == 1 ? active : Math.max(active, warm);
    return clock.decayed(most, Math.max(now.number() - from - rotations, 0)) == 0;
  }

  @Override
  long roomNanos(long limit, WindowClock clock, long nanos) {
    long active = state() & TOTAL;
    long room = decayNanos(larger(active), limit, clock, nanos);
    if (clock.rotationNanos() > 0 && limit > 0) {
      // The next rotation takes the warm count away, and the one after it the active.
      long rotation = clock.at(nanos).rotationEnd() - nanos;
      long alone = Math.max(rotation, decayNanos(active, limit, clock, nanos));
      room = Math.min(room, Math.min(alone, rotation + clock.rotationNanos()));
    }
    return Math.max(room, 0);
  }

  /** Returns how long until decay alone brings a count below the limit. */
  private static long decayNanos(long count, long limit, WindowClock clock, long nanos) {
    if (limit > 0 && count < limit) {
      return 0;
    }
    if (limit <= 0 || !clock.decays()) {
      return Clamp.NEVER;
    }
    long steps = 1;
    while (clock.decayed(count, steps) >= limit) {
      steps++;
    }
    return clock.at(nanos).periodEnd() - nanos + (steps - 1) * clock.periodNanos();
  }
}
