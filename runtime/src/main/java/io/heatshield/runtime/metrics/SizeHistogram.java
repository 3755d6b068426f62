package io.heatshield.runtime.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of sizes, with one bucket per power of two from 1 to 1024.
 *
 * <p>Thread-safe: recording neither allocates nor loses a record. A reader may miss concurrent
 * records.
 */
public final class SizeHistogram {
  /** The number of buckets with an upper bound; one more has the larger sizes. */
  static final int BOUNDS = 11;

  private final LongAdder[] counts = new LongAdder[BOUNDS + 1];
  private final LongAdder sum = new LongAdder();

  /** Creates an empty histogram. */
  public SizeHistogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Records one size, 1 or more. */
  public void record(int size) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, size - 1));
    counts[Math.min(BOUNDS, bits)].increment();
    sum.add(size);
  }

  long count(int bucket) {
    return counts[bucket].sum();
  }

  /** Adds the buckets; returns the sum of all records. */
  double fill(ClassicHistogramBuckets.Builder buckets) {
    for (int i = 0; i <= BOUNDS; i++) {
      buckets.bucket(i == BOUNDS ? Double.POSITIVE_INFINITY : 1L << i, count(i));
    }
    return sum.sum();
  }
}
