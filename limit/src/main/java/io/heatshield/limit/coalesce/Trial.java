package io.heatshield.limit.coalesce;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Plays through which calls for a hot key would have shared a flight, while none does.
 *
 * <p>It takes flights for landed at once and without a bound, so where Redis is slow more would
 * have been saved than it says. Any thread may call it.
 */
final class Trial {
  /*
   * state   when the last flight would have left, times two; plus one: callers would be gathering
   *         read: volatile   change: CAS   A call that would have joined changes nothing.
   */
  private final AtomicLong state;

  Trial(long now, long windowNanos) {
    state = new AtomicLong((now - windowNanos) << 1);
  }

  /** Returns how many calls would have been saved by coalescing this one: 1 or none. */
  int touch(long now, long windowNanos) {
    while (true) {
      long seen = state.get();
      boolean gathering = (seen & 1) != 0;
      long sinceLeft = elapsed(now, seen);
      if (gathering && sinceLeft >= windowNanos) {
        sinceLeft -= windowNanos;
        gathering = false;
      }
      if (gathering) {
        return 1;
      }
      long next = sinceLeft >= windowNanos ? now << 1 : ((now - sinceLeft) << 1) | 1;
      if (state.compareAndSet(seen, next)) {
        return 0;
      }
    }
  }

  /** Returns the time since a state's moment, of which the topmost bit is lost. */
  private static long elapsed(long now, long seen) {
    return ((now << 1) - (seen & ~1L)) >> 1;
  }
}
