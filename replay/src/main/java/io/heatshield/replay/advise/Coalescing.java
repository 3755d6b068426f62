package io.heatshield.replay.advise;

import java.util.Arrays;

/**
 * How many calls a flush window would save: a key sends at most one call in a window, and those
 * that come meanwhile leave together at its end. {@value #MAX_BATCH} that have gathered leave
 * earlier if the key left a window unused before; {@value #MOST_GATHERED} may gather, and the next
 * one calls by itself.
 *
 * <p>A call that finds its key idle leaves without waiting; of those that gather all but one are
 * saved.
 */
final class Coalescing {
  static final int MAX_BATCH = 1024;
  static final int MOST_GATHERED = 16 * MAX_BATCH;
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final long windowNanos;
  private final long[] leftAt;
  private final int[] gathered;
  private final boolean[] spare;

  Coalescing(long windowNanos, int keys) {
    this.windowNanos = windowNanos;
    this.leftAt = new long[keys];
    this.gathered = new int[keys];
    this.spare = new boolean[keys];
    Arrays.fill(leftAt, LONG_AGO);
  }

  /** Takes a call of a key; returns whether another call carries it. */
  boolean isSaved(int key, long nanos) {
    long end = leftAt[key] + windowNanos;
    if (gathered[key] > 0 && nanos >= end) {
      leave(key, end);
    }
    if (nanos - leftAt[key] >= windowNanos) {
      leave(key, nanos);
      return false;
    }
    if (gathered[key] == MOST_GATHERED) {
      return false;
    }
    boolean saved = gathered[key] > 0;
    gathered[key]++;
    if (gathered[key] >= MAX_BATCH && spare[key]) {
      leave(key, nanos);
    }
    return saved;
  }

  private void leave(int key, long nanos) {
    long since = nanos - leftAt[key];
    spare[key] = since >= windowNanos && (spare[key] || since - windowNanos >= windowNanos);
    leftAt[key] = nanos;
    gathered[key] = 0;
  }
}
