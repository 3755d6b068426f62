package io.heatshield.limit.rule;

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
 * A cache, bounded in bytes, of the counters that are over their limit for the rest of their
 * window, so that the backend need not be called.
 *
 * <p>Only counters of fixed windows are cached: their count never falls within a window. Any thread
 * may call it. An evicted entry costs only a call to the backend.
 */
final class OverLimitCache {
  /** The bytes of an entry in addition to its key: the objects, and those of the cache. */
  private static final int ENTRY_BYTES = 160;

  private final Cache<CounterKey, Over> cache;

  private OverLimitCache(long bytes) {
    cache =
        Caffeine.newBuilder()
            .maximumWeight(bytes)
            .weigher((CounterKey key, Over over) -> ENTRY_BYTES + key.length())
            .expireAfter(Expiry.creating((CounterKey key, Over over) -> over.longest()))
            // Maintenance runs on the calling thread, a few entries at a time, without a pool.
            .executor(Runnable::run)
            .build();
  }

  /** Returns a cache of a size, or null for 0. */
  static @Nullable OverLimitCache ofBytes(long bytes) {
    return bytes == 0 ? null : new OverLimitCache(bytes);
  }

  /** Returns whether a counter is known to be over its limit in the window of a time. */
  boolean isOver(CounterKey key, Limit limit, long clockMillis) {
    Over over = cache.getIfPresent(key);
    return over != null
        && over.window == limit.unit().window(clockMillis)
        && over.requestsPerUnit >= limit.requestsPerUnit();
  }

  /** Records that a counter is over its limit in the window of a time. */
  void put(CounterKey key, Limit limit, long clockMillis) {
    if (limit.algorithm() == Algorithm.FIXED_WINDOW) {
      cache.put(
          key, new Over(limit.unit(), limit.unit().window(clockMillis), limit.requestsPerUnit()));
    }
  }

  /** The window in which a counter is over, and the limit, which a reload may raise. */
  private record Over(LimitUnit unit, long window, long requestsPerUnit) {
    Duration longest() {
      return Duration.ofSeconds(unit.seconds());
    }
  }
}
