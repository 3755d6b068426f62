package io.heatshield.replay.advise;

import java.util.Arrays;

/**
 * Simulates the coalescing of calls, to count how many calls a flush window would save.
 *
 * <p>A key sends at most one call per window. Calls that arrive during a window form a batch, which
 * is sent at the end of the window; all calls of a batch but one are saved. A call for an idle key
 * is sent immediately. A batch of {@value #MAX_BATCH} calls is sent early if the key skipped a
 * window before. When {@value #MAX_PENDING} calls are pending, further calls are sent individually.
 */
final class Coalescing {
  static final int MAX_BATCH = 1024;
  static final int MAX_PENDING = 16 * MAX_BATCH;
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final long windowNanos;
  private final long[] sentAt;
  private final int[] pending;
  private final boolean[] spare;

  Coalescing(long windowNanos, int keys) {
    this.windowNanos = windowNanos;
    this.sentAt = new long[keys];
    this.pending = new int[keys];
    this.spare = new boolean[keys];
    Arrays.fill(sentAt, LONG_AGO);
  }

  /** Adds a call for a key; returns whether it shares another call. */
  boolean isSaved(int key, long nanos) {
    long end = sentAt[key] + windowNanos;
    if (pending[key] > 0 && nanos >= end) {
      send(key, end);
    }
    if (nanos - sentAt[key] >= windowNanos) {
      send(key, nanos);
      return false;
    }
    if (pending[key] == MAX_PENDING) {
      return false;
    }
    boolean saved = pending[key] > 0;
    pending[key]++;
    if (pending[key] >= MAX_BATCH && spare[key]) {
      send(key, nanos);
    }
    return saved;
  }

  private void send(int key, long nanos) {
    long since = nanos - sentAt[key];
    spare[key] = since >= windowNanos && (spare[key] || since - windowNanos >= windowNanos);
    sentAt[key] = nanos;
    pending[key] = 0;
  }
}
