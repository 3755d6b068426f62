package io.heatshield.runtime.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of durations, with four buckets per power of two from 1 microsecond to 17 seconds.
 *
 * <p>Prometheus gets one bucket per power of two from 16 microseconds to half a second; quantiles
 * use the finer ones. Thread-safe: recording neither allocates nor loses a record. A reader may
 * miss concurrent records.
 */
public final class LatencyHistogram {
  /** The number of exported buckets with an upper bound; one more has the longer durations. */
  static final int BOUNDS = 16;

  private static final int FIRST_EXPORTED_BITS = 14;

  /*
   * fine[0]                   up to 2^FIRST_BITS ns
   * fine[1 + 4 * (b - FIRST_BITS) + part]
   *                           more than (4 + part) << (b - 2), up to (5 + part) << (b - 2) ns
   * fine[FINE - 1]            more than 2^(LAST_BITS + 1) ns
   */
  private static final int FIRST_BITS = 10;
  private static final int LAST_BITS = 33;
  private static final int PARTS = 4;
  private static final int FINE = 2 + PARTS * (LAST_BITS - FIRST_BITS + 1);

  private final LongAdder[] fine = new LongAdder[FINE];
  private final LongAdder nanos = new LongAdder();

  /** Creates an empty histogram. */
  public LatencyHistogram() {
    for (int i = 0; i < FINE; i++) {
      fine[i] = new LongAdder();
    }
  }

  /** Records one duration. */
  public void record(long durationNanos) {
    record(durationNanos, 1);
  }

  /** Records a duration several times, if only one of several was measured. */
  public void record(long durationNanos, int times) {
    long positive = Math.max(0, durationNanos);
    fine[index(positive)].add(times);
    nanos.add(positive * times);
  }

  /** Returns the number of records. */
  public long count() {
    return sum(0, FINE);
  }

  /** Returns the counts of the fine buckets, for {@link #quantileNanos}. */
  public long[] counts() {
    long[] counts = new long[FINE];
    for (int i = 0; i < FINE; i++) {
      counts[i] = fine[i].sum();
    }
    return counts;
  }

  /**
   * Returns a quantile, interpolated within its bucket, or NaN if all counts are 0.
   *
   * @param part from 0 to 1, for example 0.99
   */
  public static double quantileNanos(long[] counts, double part) {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    double wanted = part * all;
    double below = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 && below + counts[i] >= wanted) {
        double from = i == 0 ? 0 : upperNanos(i - 1);
        double to = i == FINE - 1 ? from : upperNanos(i);
        return from + (to - from) * Math.max(0, wanted - below) / counts[i];
      }
      below += counts[i];
    }
    return Double.NaN;
  }

  long count(int bucket) {
    int from = bucket == 0 ? 0 : firstFine(bucket);
    int to = bucket == BOUNDS ? FINE : firstFine(bucket + 1);
    return sum(from, to);
  }

  /** Adds the exported buckets, in seconds; returns the sum of all records. */
  double fill(ClassicHistogramBuckets.Builder buckets) {
    for (int i = 0; i <= BOUNDS; i++) {
      buckets.bucket(boundSeconds(i), count(i));
    }
    return sumSeconds();
  }

  double sumSeconds() {
    return nanos.sum() / 1e9;
  }

  /** Returns the upper bound of an exported bucket, in seconds. */
  static double boundSeconds(int bucket) {
    return bucket == BOUNDS
        ? Double.POSITIVE_INFINITY
        : (1L << (FIRST_EXPORTED_BITS + bucket)) / 1e9;
  }

  private long sum(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += fine[i].sum();
    }
    return sum;
  }

  private static int firstFine(int bucket) {
    return 1 + PARTS * (FIRST_EXPORTED_BITS - 1 - FIRST_BITS + bucket);
  }

  private static int index(long durationNanos) {
    long below = durationNanos - 1;
    int top = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, below));
    if (top < FIRST_BITS) {
      return 0;
    }
    if (top > LAST_BITS) {
      return FINE - 1;
    }
    return 1 + PARTS * (top - FIRST_BITS) + (int) (below >>> (top - 2) & (PARTS - 1));
  }

  private static double upperNanos(int index) {
    if (index == 0) {
      return 1L << FIRST_BITS;
    }
    int top = FIRST_BITS + (index - 1) / PARTS;
    return (double) ((PARTS + 1L + (index - 1) % PARTS) << (top - 2));
  }
}
