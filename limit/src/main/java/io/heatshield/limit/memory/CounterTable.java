package io.heatshield.limit.memory;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded table of counters.
 *
 * <p>A counter is removed after its window has ended: each new counter checks two others, and
 * {@link #maintain} checks all. Any thread may call any method; finding a counter takes no lock.
 *
 * @param <K> the type of the keys, whose hashes callers must not be able to choose
 */
final class CounterTable<K> {
  /*
   * A counter is retired before it is removed from the map, and a retired one refuses to count: a
   * thread that holds one also removes it and starts again with another. So no hit is added to a
   * counter that cannot be found any more. "taken" is incremented before a counter is put into the
   * map and decremented by the thread that removed it.
   */
  private static final int CHECKS_PER_COUNTER = 2;
  private static final int CHECKS_WHEN_FULL = 64;

  private final int max;
  private final LongSupplier clock;
  private final ConcurrentHashMap<K, Counter> counters = new ConcurrentHashMap<>();
  private final AtomicInteger taken = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private Iterator<Map.Entry<K, Counter>> sweep = counters.entrySet().iterator();

  CounterTable(int max, LongSupplier clock) {
    this.max = max;
    this.clock = clock;
  }

  /** Returns the counter of a key, which may be retired, or null. */
  @Nullable Counter find(K key) {
    return counters.get(key);
  }

  /**
   * Adds a counter for a key that has none, and returns it, or the one that another thread added.
   * Returns null if all places are taken by counters whose windows have not ended.
   */
  @Nullable Counter create(K key, Supplier<Counter> fresh) {
    removeSome(CHECKS_PER_COUNTER);
    if (!take()) {
      removeSome(CHECKS_WHEN_FULL);
      if (!take()) {
        refused.increment();
        return null;
      }
    }
    Counter counter = fresh.get();
    Counter other = counters.putIfAbsent(key, counter);
    if (other != null) {
      taken.decrementAndGet();
      return other;
    }
    return counter;
  }

  /** Removes a counter that is retired. */
  void remove(K key, Counter counter) {
    if (counters.remove(key, counter)) {
      taken.decrementAndGet();
    }
  }

  /** Removes all counters whose windows have ended. */
  void maintain() {
    counters.forEach(this::removeIfEnded);
  }

  int size() {
    return counters.size();
  }

  int max() {
    return max;
  }

  /** Returns how often there was no place for a new counter. */
  long refused() {
    return refused.sum();
  }

  private boolean take() {
    if (taken.incrementAndGet() <= max) {
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
          Map.Entry<K, Counter> next = sweep.next();
          removeIfEnded(next.getKey(), next.getValue());
        }
      } finally {
        sweeping.set(false);
      }
    }
  }

  private void removeIfEnded(K key, Counter counter) {
    if (counter.retire(clock)) {
      remove(key, counter);
    }
  }
}
