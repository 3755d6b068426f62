package io.heatshield.bench.grpc;

import java.util.Arrays;

/** Recorded durations, up to a few million; any thread may record. */
final class Latencies {
  private static final int MOST = 1 << 22;

  private long[] nanos = new long[1 << 16];
  private int size;

  synchronized void record(long duration) {
    if (size < MOST) {
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      nanos[size++] = duration;
    }
  }

  /** Adds all durations of another object, to which no thread records any more. */
  void addAll(Latencies other) {
    for (int i = 0; i < other.size(); i++) {
      record(other.nanos[i]);
    }
  }

  /** Returns a quantile of the durations in milliseconds; 0 if there are none. */
  synchronized double millis(double part) {
    if (size == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    return sorted[Math.min(size - 1, (int) Math.ceil(part * size))] / 1e6;
  }

  synchronized int size() {
    return size;
  }
}
