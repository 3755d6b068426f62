package io.heatshield.limit.memory;

import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counters in this process: exact under any number of threads, and bounded in number.
 *
 * <p>A counter is removed after its window has ended: each new counter checks two others, and
 * {@link #maintain} checks all. When all places are taken by windows that have not ended, a new
 * counter is refused with {@link BackendUnavailableException}, and the existing ones stay exact. A
 * counter takes about 140 bytes and its key's bytes, in a sliding window 450.
 *
 * <p>Any thread may call any method. Finding and incrementing an existing counter takes no lock.
 */
public final class MemoryCounters implements CounterBackend {
  /*
   * A counter is retired before it is removed from the map, and a retired one refuses to count: a
   * thread that holds one also removes it and starts again with another. So no hit is added to a
   * counter that cannot be found any more. "taken" is incremented before a counter is put into the
   * map and decremented by the thread that removed it.
   */
  private static final int CHECKS_PER_COUNTER = 2;
  private static final int CHECKS_WHEN_FULL = 64;

  private final int maxCounters;
  private final LongSupplier clock;
  private final ConcurrentHashMap<CounterKey, Counter> counters = new ConcurrentHashMap<>();
  private final AtomicInteger taken = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private Iterator<Map.Entry<CounterKey, Counter>> sweep = counters.entrySet().iterator();

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
    this.maxCounters = maxCounters;
    this.clock = clockMillis;
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
    while (true) {
      Counter counter = counters.get(key);
      if (counter == null) {
        if (hits == 0) {
          return 0;
        }
        counter = create(key, limit, clockMillis);
      }
      long count = counter.add(limit, hits, clockMillis, clock);
      if (count != Counter.RETIRED) {
        return count;
      }
      remove(key, counter);
    }
  }

  /** Removes all counters whose windows have ended; call it about every second. */
  public void maintain() {
    counters.forEach(this::removeIfEnded);
  }

  /** Returns the number of counters. */
  public int size() {
    return counters.size();
  }

  /** Returns the most counters at a time. */
  public int maxCounters() {
    return maxCounters;
  }

  /** Returns how often a new counter was refused because all places were taken. */
  public long refused() {
    return refused.sum();
  }

  private Counter create(CounterKey key, Limit limit, long clockMillis) {
    removeSome(CHECKS_PER_COUNTER);
    if (!take()) {
      removeSome(CHECKS_WHEN_FULL);
      if (!take()) {
        refused.increment();
        throw new BackendUnavailableException(
            "all " + maxCounters + " counters are taken by windows that have not ended");
      }
    }
    Counter fresh = Counter.of(limit, clockMillis);
    Counter other = counters.putIfAbsent(key, fresh);
    if (other != null) {
      taken.decrementAndGet();
      return other;
    }
    return fresh;
  }

  private boolean take() {
    if (taken.incrementAndGet() <= maxCounters) {
      return true;
    }
    taken.decrementAndGet();
    return false;
  }

  /** Checks the next few counters in turn, unless another thread is doing so. */
  private void removeSome(int checks) {
    if (sweeping.compareAndSet(false, true)) {
      try {
        for (int i = 0; i < checks; i++) {
          if (!sweep.hasNext()) {
            sweep = counters.entrySet().iterator();
            if (!sweep.hasNext()) {
              return;
            }
          }
          Map.Entry<CounterKey, Counter> next = sweep.next();
          removeIfEnded(next.getKey(), next.getValue());
        }
      } finally {
        sweeping.set(false);
      }
    }
  }

  private void removeIfEnded(CounterKey key, Counter counter) {
    if (counter.retire(clock)) {
      remove(key, counter);
    }
  }

  private void remove(CounterKey key, Counter counter) {
    if (counters.remove(key, counter)) {
      taken.decrementAndGet();
    }
  }
}
