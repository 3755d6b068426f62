package io.heatshield.server.metrics;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of durations by buckets whose bounds double, from 16 microseconds to half a second.
 *
 * <p>Any thread may record; nothing is allocated and nothing is lost. A reader may miss records of
 * the same moment.
 */
public final class LatencyHistogram {
  /** The number of buckets with an upper bound; one more takes what is longer than all. */
  static final int BOUNDS = 16;

  private static final int FIRST_BITS = 14;

  private final LongAdder[] counts = new LongAdder[BOUNDS + 1];
  private final LongAdder nanos = new LongAdder();

  /** Creates a histogram without a record. */
  public LatencyHistogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Records one duration. */
  public void record(long durationNanos) {
    long positive = Math.max(0, durationNanos);
    counts[bucket(positive)].increment();
    nanos.add(positive);
  }

  /** Returns the number of records. */
  public long count() {
    long count = 0;
    for (LongAdder bucket : counts) {
      count += bucket.sum();
    }
    return count;
  }

  long count(int bucket) {
    return counts[bucket].sum();
  }

  double sumSeconds() {
    return nanos.sum() / 1e9;
  }

  /** Returns the upper bound of a bucket, in seconds. */
  static double boundSeconds(int bucket) {
    return bucket == BOUNDS ? Double.POSITIVE_INFINITY : (1L << (FIRST_BITS + bucket)) / 1e9;
  }

  private static int bucket(long durationNanos) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, durationNanos - 1));
    return Math.min(BOUNDS, Math.max(0, bits - FIRST_BITS));
  }
}
