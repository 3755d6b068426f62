package io.heatshield.limit.memory;

import io.heatshield.limit.Limit;
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

  /** Adds hits and returns the count as {@code CounterBackend} defines it, or {@link #RETIRED}. */
  abstract long add(Limit limit, long hits, long clockMillis, LongSupplier clock);

  /** Retires the counter if its window has ended, and returns whether it is retired. */
  abstract boolean retire(LongSupplier clock);

  /** Returns a counter without a hit. */
  static Counter of(Limit limit, long clockMillis) {
    return switch (limit.algorithm()) {
      case FIXED_WINDOW -> new FixedWindow(limit.unit(), clockMillis);
      case SLIDING_WINDOW -> new SlidingWindow(limit.unit(), clockMillis);
      case GCRA -> new CellRate(limit.unit(), clockMillis);
    };
  }
}
