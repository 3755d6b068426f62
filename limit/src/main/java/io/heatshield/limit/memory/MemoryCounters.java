package io.heatshield.limit.memory;

import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.function.LongSupplier;

/**
 * Counters in this process: exact under any number of threads, and bounded in number.
 *
 * <p>A counter is removed after its window has ended: each new counter checks two others, and
 * {@link #maintain} checks all. When all places are taken by windows that have not ended, a new
 * counter is refused with {@link BackendUnavailableException}, and the existing ones stay exact. A
 * counter takes about {@value #COUNTER_BYTES} bytes and its key's bytes, in a sliding window 450.
 *
 * <p>Any thread may call any method. Finding and incrementing an existing counter takes no lock.
 */
public final class MemoryCounters implements CounterBackend {
  /** The bytes of a counter in a fixed window, without those of its key. */
  public static final int COUNTER_BYTES = 140;

  private final LongSupplier clock;
  private final CounterTable<CounterKey> counters;

  /**
   * Creates an empty backend.
   *
   * @param maxCounters the most counters at a time
   * @param clockMillis Unix time in milliseconds, the same that the limiter reads
   */
  public MemoryCounters(int maxCounters, LongSupplier clockMillis) {
    if (maxCounters < 1) {
      throw new IllegalArgumentException("maxCounters must be at least 1: " + maxCounters);
    }
    this.clock = clockMillis;
    this.counters = new CounterTable<>(maxCounters, clockMillis);
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    long count;
    try {
      count = add(key, limit, hits, clockMillis);
    } catch (BackendUnavailableException e) {
      sink.failed(slot, e);
      return;
    }
    sink.counted(slot, count);
  }

  /**
   * Adds hits to one counter and returns its count, as {@link CounterBackend#add} delivers it.
   *
   * @throws BackendUnavailableException if there is no place for another counter
   */
  public long add(CounterKey key, Limit limit, long hits, long clockMillis) {
    long most = limit.requestsPerUnit();
    while (true) {
      Counter counter = counters.find(key);
      if (counter == null) {
        if (hits == 0) {
          return 0;
        }
        counter =
            counters.create(
                key, () -> Counter.of(limit.algorithm(), limit.unit().millis(), clockMillis));
      }
      if (counter == null) {
        throw new BackendUnavailableException(
            "all " + maxCounters() + " counters are taken by windows that have not ended");
      }
      long count = counter.add(most, hits, clockMillis, clock);
      if (count != Counter.RETIRED) {
        return count;
      }
      counters.remove(key, counter);
    }
  }

  /** Removes all counters whose windows have ended; call it about every second. */
  public void maintain() {
    counters.maintain();
  }

  /** Returns the number of counters. */
  public int size() {
    return counters.size();
  }

  /** Returns the most counters at a time. */
  public int maxCounters() {
    return counters.max();
  }

  /** Returns how often a new counter was refused because all places were taken. */
  public long refused() {
    return counters.refused();
  }
}
