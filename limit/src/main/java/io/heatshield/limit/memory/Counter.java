package io.heatshield.limit.memory;

import io.heatshield.limit.Algorithm;
import java.util.function.LongSupplier;

/**
 * One counter, which any thread may increment without a lock until it is retired.
 *
 * <p>The caller passes the time. Where it disagrees with the counter, the clock is read again after
 * the counter: a caller that was delayed after its own reading must neither open an old window
 * again nor look like a clock that was set back.
 */
abstract class Counter {
  /** Returned by {@link #add} if the counter is retired, so that its key needs a new one. */
  static final long RETIRED = -1;

  /** Returned by {@link #millisUntil} if waiting does not help. */
  static final long NEVER = Long.MAX_VALUE;

  /**
   * Adds hits and returns the count as {@code CounterBackend} defines it, or {@link #RETIRED}.
   *
   * @param limit the hits that a window allows
   */
  abstract long add(long limit, long hits, long clockMillis, LongSupplier clock);

  /**
   * Returns the milliseconds until hits are within the limit if no others are added: 0 if they are
   * now, {@link #NEVER} if they are more than the limit.
   */
  final long millisUntil(long limit, long hits, long clockMillis) {
    return hits > limit ? NEVER : Math.max(0, roomAt(limit, hits, clockMillis) - clockMillis);
  }

  /** Returns the time from which hits, at most the limit, are within the limit. */
  abstract long roomAt(long limit, long hits, long clockMillis);

  /** Retires the counter if its window has ended, and returns whether it is retired. */
  abstract boolean retire(LongSupplier clock);

  /** Returns a counter without a hit; one of fixed windows also counts hits over the limit. */
  static Counter of(Algorithm algorithm, long windowMillis, long clockMillis) {
    return switch (algorithm) {
      case FIXED_WINDOW -> new FixedWindow(windowMillis, clockMillis, true);
      case SLIDING_WINDOW -> new SlidingWindow(windowMillis, clockMillis);
      case GCRA -> new CellRate(windowMillis, clockMillis);
    };
  }

  /** Returns a counter without a hit that never counts hits over the limit. */
  static Counter ofAdmitted(Algorithm algorithm, long windowMillis, long clockMillis) {
    return algorithm == Algorithm.FIXED_WINDOW
        ? new FixedWindow(windowMillis, clockMillis, false)
        : of(algorithm, windowMillis, clockMillis);
  }
}
