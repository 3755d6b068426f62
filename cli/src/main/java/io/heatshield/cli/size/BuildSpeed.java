package io.heatshield.cli.size;

import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.Growth;
import io.heatshield.filter.HashedCuckooFilter;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The speed at which one thread of this machine adds keys to a filter, measured by a short run.
 *
 * @param keys the keys that were added
 * @param seconds the time that this took
 * @param bytes the memory of the filter
 */
public record BuildSpeed(long keys, double seconds, long bytes) {
  /** A filter of this many keys is larger than the caches of most processors. */
  private static final long SAMPLE = 40_000_000;

  private static final int MAX_SHARE_OF_HEAP = 8;
  private static final int BATCH = 1 << 14;
  private static final Duration LONGEST = Duration.ofMillis(1500);

  /** Measures for at most one and a half seconds. */
  static BuildSpeed measure(KeySet keys) {
    long most = Math.min(SAMPLE, Runtime.getRuntime().maxMemory() / MAX_SHARE_OF_HEAP);
    CuckooFilter filter =
        CuckooFilter.builder()
            .expectedItems(Math.max(1, Math.min(keys.items(), most)))
            .falsePositiveRate(keys.rate())
            .growth(Growth.REFUSE)
            .build();
    HashedCuckooFilter hashed = filter.hashed(filter.keyHash());
    long room = filter.capacity() / 100 * 95;
    var random = new SplittableRandom();
    long start = System.nanoTime();
    long added = 0;
    long nanos = 0;
    while (added < Math.max(1, room) && nanos < LONGEST.toNanos()) {
      for (int i = 0; i < BATCH && added < Math.max(1, room); i++) {
        var unused = hashed.add(random.nextLong(), () -> false);
        added++;
      }
      nanos = System.nanoTime() - start;
    }
    return new BuildSpeed(added, Math.max(1, nanos) / 1e9, filter.bytes());
  }

  /** Returns the keys that were added in a second. */
  public double keysPerSecond() {
    return keys / seconds;
  }
}
