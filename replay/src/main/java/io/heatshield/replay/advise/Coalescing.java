package io.heatshield.replay.advise;

import java.util.Arrays;

/**
 * How many calls a flush window would save: a key sends at most one call in a window, and those
 * that come meanwhile leave together at its end, or at once when {@value #MAX_BATCH} have gathered.
 *
 * <p>A call that finds its key idle leaves without waiting; of those that gather all but one are
 * saved.
 */
final class Coalescing {
  static final int MAX_BATCH = 1024;
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final long windowNanos;
  private final long[] flightAt;
  private final int[] gathered;

  Coalescing(long windowNanos, int keys) {
    this.windowNanos = windowNanos;
    this.flightAt = new long[keys];
    this.gathered = new int[keys];
    Arrays.fill(flightAt, LONG_AGO);
  }

  /** Takes a call of a key; returns whether another call carries it. */
  boolean isSaved(int key, long nanos) {
    long leaves = flightAt[key] + windowNanos;
    if (gathered[key] > 0 && nanos >= leaves) {
      flightAt[key] = leaves;
      gathered[key] = 0;
    }
    if (nanos - flightAt[key] >= windowNanos) {
      flightAt[key] = nanos;
      return false;
    }
    boolean saved = gathered[key] > 0;
    if (++gathered[key] == MAX_BATCH) {
      flightAt[key] = nanos;
      gathered[key] = 0;
    }
    return saved;
  }
}
