package io.heatshield.limit.limiter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, in a bounded number of bytes, which counters are over their limit for the rest of
 * their window, so that the backend need not be asked again.
 *
 * <p>Only counters of fixed windows are remembered: their count never falls within a window. Any
 * thread may call it; what is forgotten for want of room costs a question to the backend and
 * nothing else.
 */
final class OverLimitCache {
  /**
   * What an entry weighs beside the bytes of its key: the objects around it, and the cache's own.
   */
  private static final int ENTRY_BYTES = 160;

  private final Cache<CounterKey, Over> cache;

  private OverLimitCache(long bytes) {
    cache =
        Caffeine.newBuilder()
            .maximumWeight(bytes)
            .weigher((CounterKey key, Over over) -> ENTRY_BYTES + key.length())
            .expireAfter(Expiry.creating((CounterKey key, Over over) -> over.longest()))
            // Upkeep on the thread that finds it due: a few entries at a time, and no pool.
            .executor(Runnable::run)
            .build();
  }

  /** Returns a cache of a size, or null if it has none. */
  static @Nullable OverLimitCache ofBytes(long bytes) {
    return bytes == 0 ? null : new OverLimitCache(bytes);
  }

  /** Returns whether a counter is known to be over its limit in the window of a moment. */
  boolean isOver(CounterKey key, Limit limit, long clockMillis) {
    Over over = cache.getIfPresent(key);
    return over != null
        && over.window == limit.unit().window(clockMillis)
        && over.requestsPerUnit >= limit.requestsPerUnit();
  }

  /** Remembers that a counter is over its limit in the window of a moment. */
  void put(CounterKey key, Limit limit, long clockMillis) {
    if (limit.algorithm() == Algorithm.FIXED_WINDOW) {
      cache.put(
          key, new Over(limit.unit(), limit.unit().window(clockMillis), limit.requestsPerUnit()));
    }
  }

  /**
   * The window in which a counter is over, and the limit that it is over: a reload may raise it.
   */
  private record Over(LimitUnit unit, long window, long requestsPerUnit) {
    Duration longest() {
      return Duration.ofSeconds(unit.seconds());
    }
  }
}
