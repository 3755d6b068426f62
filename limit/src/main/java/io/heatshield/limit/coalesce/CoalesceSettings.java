package io.heatshield.limit.coalesce;

import java.time.Duration;

/**
 * When a counter is hot, and how long calls for a hot one are collected.
 *
 * @param sketchBytes the memory of the sketch that counts calls for cold counters
 * @param depth the rows of the sketch
 * @param threshold the calls at which a counter becomes hot, and below which it cools at the end of
 *     a decay interval
 * @param maxKeys the most hot counters; a new one then replaces one that was not used lately
 * @param flushWindow the shortest time between two batches of a counter
 * @param maxBatch the calls at which a batch is sent before its window ends, if the counter left a
 *     window unused before; sixteen times as many may be pending, one more is sent alone
 * @param decayInterval how often counts are halved
 */
public record CoalesceSettings(
    long sketchBytes,
    int depth,
    long threshold,
    int maxKeys,
    Duration flushWindow,
    int maxBatch,
    Duration decayInterval) {
  private static final Duration LONGEST_WINDOW = Duration.ofSeconds(1);

  /** 10 MiB in 4 rows, 100 calls, 10,000 keys, 300 microseconds, 1024 callers, 10 seconds. */
  public static final CoalesceSettings DEFAULT =
      new CoalesceSettings(
          10 << 20, 4, 100, 10_000, Duration.ofNanos(300_000), 1024, Duration.ofSeconds(10));

  /** Checks the ranges; the sketch checks its own. */
  public CoalesceSettings {
    if (threshold < 1) {
      throw new IllegalArgumentException("threshold must be at least 1: " + threshold);
    }
    if (maxKeys < 1) {
      throw new IllegalArgumentException("maxKeys must be at least 1: " + maxKeys);
    }
    if (maxBatch < 1) {
      throw new IllegalArgumentException("maxBatch must be at least 1: " + maxBatch);
    }
    if (flushWindow.isNegative() || flushWindow.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException("flushWindow must be 0 to 1 s: " + flushWindow);
    }
    if (decayInterval.isNegative() || decayInterval.isZero()) {
      throw new IllegalArgumentException("decayInterval must be positive: " + decayInterval);
    }
  }

  /** Returns the cells in a row of the sketch, 32 bits each. */
  int width() {
    return (int) Math.min(Integer.MAX_VALUE, sketchBytes / Math.max(1, depth) / Integer.BYTES);
  }
}
