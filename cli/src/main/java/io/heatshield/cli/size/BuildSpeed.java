package io.heatshield.cli.size;

import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.Growth;
import io.heatshield.filter.HashedCuckooFilter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The speed at which one thread of this machine adds keys to a filter, measured by a short run.
 *
 * @param keys the keys that were added
 * @param seconds the processor time that this took
 * @param bytes the memory of the filter
 */
public record BuildSpeed(long keys, double seconds, long bytes) {
  /** A filter of this many keys is larger than the caches of most processors. */
  private static final long SAMPLE = 40_000_000;

  private static final long WARM_UP = 100_000;
  private static final int MAX_SHARE_OF_HEAP = 8;
  private static final int BATCH = 1 << 12;
  private static final int FULL_PERCENT = 95;
  private static final Duration WARM_UP_TIME = Duration.ofMillis(300);
  private static final Duration TIME = Duration.ofMillis(1200);

  /** Measures for at most one and a half seconds. */
  static BuildSpeed measure(KeySet keys) {
    long most = Math.min(SAMPLE, Runtime.getRuntime().maxMemory() / MAX_SHARE_OF_HEAP);
    run(keys.rate(), Math.min(keys.items(), WARM_UP), WARM_UP_TIME);
    return run(keys.rate(), Math.min(keys.items(), most), TIME);
  }

  /** Returns the keys that were added in a second. */
  public double keysPerSecond() {
    return keys / seconds;
  }

  /** Fills a filter until it is full or the time is over. */
  private static BuildSpeed run(double rate, long items, Duration longest) {
    CuckooFilter filter =
        CuckooFilter.builder()
            .expectedItems(Math.max(1, items))
            .falsePositiveRate(rate)
            .growth(Growth.REFUSE)
            .build();
    HashedCuckooFilter hashed = filter.hashed(filter.keyHash());
    long room = Math.max(1, filter.capacity() / 100 * FULL_PERCENT);
    var random = new SplittableRandom();
    long start = System.nanoTime();
    long startOfProcessor = processorNanos();
    long added = 0;
    while (added < room && System.nanoTime() - start < longest.toNanos()) {
      for (int i = 0; i < BATCH && added < room; i++) {
        var unused = hashed.add(random.nextLong(), () -> false);
        added++;
      }
    }
    long nanos = Math.max(1, processorNanos() - startOfProcessor);
    return new BuildSpeed(added, nanos / 1e9, filter.bytes());
  }

  /** Returns the processor time of this thread, which other processes do not change. */
  private static long processorNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported()
        ? threads.getCurrentThreadCpuTime()
        : System.nanoTime();
  }
}
