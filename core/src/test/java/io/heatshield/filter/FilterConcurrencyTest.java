package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class FilterConcurrencyTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final int ITEMS = 2_000;

  @Test
  void contains_whileWritersMoveFingerprints_findsEveryStoredKey() throws Exception {
    CuckooFilter filter =
        CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(ITEMS).build();
    long[] stored = new SplittableRandom(1).longs(ITEMS * 3 / 4).toArray();
    for (long key : stored) {
      assertThat(filter.add(key)).isEqualTo(AddResult.ADDED);
    }
    var writers = new AtomicInteger(2);
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int w = 0; w < 2; w++) {
      int seed = w;
      tasks.add(() -> addAndDelete(filter, seed, writers));
    }
    tasks.add(() -> misses(filter, stored, writers));

    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    long wrong = 0;
    try {
      for (Future<Long> task : threads.invokeAll(tasks)) {
        wrong += task.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(wrong).isZero();
    assertThat(filter.stats().moves()).isGreaterThan(1_000);
    assertThat(filter.size()).isEqualTo(stored.length);
  }

  /** Repeatedly adds keys until the filter is full and deletes them; returns the failures. */
  private static long addAndDelete(CuckooFilter filter, int seed, AtomicInteger writers) {
    long wrong = 0;
    var random = new SplittableRandom(100 + seed);
    for (int round = 0; round < 200; round++) {
      long[] mine = random.longs(ITEMS / 8).toArray();
      int added = 0;
      while (added < mine.length && filter.add(mine[added]) == AddResult.ADDED) {
        added++;
      }
      for (int i = 0; i < added; i++) {
        wrong += filter.mightContain(mine[i]) ? 0 : 1;
        wrong += filter.remove(mine[i], () -> true) == RemoveResult.REMOVED ? 0 : 1;
      }
    }
    writers.decrementAndGet();
    return wrong;
  }

  private static long misses(CuckooFilter filter, long[] stored, AtomicInteger writers) {
    long misses = 0;
    while (writers.get() > 0) {
      for (long key : stored) {
        misses += filter.mightContain(key) ? 0 : 1;
      }
    }
    return misses;
  }
}
