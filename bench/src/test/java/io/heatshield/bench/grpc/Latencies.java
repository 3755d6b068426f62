package io.heatshield.bench.grpc;

import java.util.Arrays;

/** Durations as they were recorded, up to a few million; any thread may record. */
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

  /** Takes all of another, which nobody records to any more. */
  void addAll(Latencies other) {
    for (int i = 0; i < other.size(); i++) {
      record(other.nanos[i]);
    }
  }

  /** Returns the duration in milliseconds that this part of all keep; 0 if there is none. */
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
