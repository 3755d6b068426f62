package io.heatshield.stress;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The counters under test: the memory backend, or with {@code -P broken} a naive one. */
interface CountersSubject {

  /** Adds hits at the current time and returns the count; 0 hits only read it. */
  long add(String key, long hits);

  /** Clears counters whose window has ended. */
  void maintain();

  /** Advances the time by one window. */
  void turn();

  static CountersSubject create(Algorithm algorithm, long limit) {
    return Boolean.getBoolean("stress.broken")
        ? new Naive(limit)
        : new Real(new Limit(limit, LimitUnit.MINUTE, algorithm));
  }

  /** The memory backend, with room for two counters. */
  final class Real implements CountersSubject {
    private final AtomicLong millis = new AtomicLong();
    private final MemoryCounters counters = new MemoryCounters(2, millis::get);
    private final Limit limit;

    Real(Limit limit) {
      this.limit = limit;
    }

    @Override
    public long add(String key, long hits) {
      CounterKey name = CounterKey.of("d", List.of(new DescriptorEntry("k", key)), limit);
      return counters.add(name, limit, hits, millis.get());
    }

    @Override
    public void maintain() {
      counters.maintain();
    }

    @Override
    public void turn() {
      millis.addAndGet(60_000);
    }
  }

  /** Reads and writes in two steps, and clears a counter that another thread may be using. */
  final class Naive implements CountersSubject {
    private final Map<String, long[]> counts = new ConcurrentHashMap<>();
    private final long limit;
    private volatile long window;

    Naive(long limit) {
      this.limit = limit;
    }

    @Override
    public long add(String key, long hits) {
      long[] counter = counts.computeIfAbsent(key, name -> new long[] {window, 0});
      long before = held(counter[0] == window ? counter[1] : 0);
      long count = before + hits;
      counter[0] = window;
      counter[1] = count <= limit ? count : before;
      return count;
    }

    /**
     * Separates the two steps, so that a short run finds an interleaving; by arithmetic, because
     * Lincheck would abort a spin wait.
     */
    private static long held(long count) {
      long state = count;
      for (int i = 0; i < 100; i++) {
        state = state * 31 + i;
      }
      return state == Long.MIN_VALUE ? count + 1 : count;
    }

    @Override
    public void maintain() {
      counts.values().removeIf(counter -> counter[0] != window);
    }

    @Override
    public void turn() {
      synchronized (counts) {
        window++;
      }
    }
  }
}
