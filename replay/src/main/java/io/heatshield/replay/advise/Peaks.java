package io.heatshield.replay.advise;

import io.heatshield.replay.SlidingTruth;
import java.util.Arrays;

/** The most touches that any window held of each key, exactly, in one part of a recording. */
final class Peaks {
  private static final long MILLI = 1_000_000L;

  private final int[] peaks;
  private final int[] sorted;

  /** Counts windows that end in {@code from .. to-1}; what came before fills the first of them. */
  Peaks(Recording recording, int windowMillis, int from, int to) {
    var truth = new SlidingTruth(windowMillis);
    peaks = new int[recording.keys()];
    for (int i = 0; i < to; i++) {
      truth.advance(recording.nanos(i) / MILLI);
      int key = recording.key(i);
      int count = truth.touch(key);
      if (i >= from && count > peaks[key]) {
        peaks[key] = count;
      }
    }
    sorted = peaks.clone();
    Arrays.sort(sorted);
  }

  boolean reached(int key, long hotAt) {
    return peaks[key] >= hotAt;
  }

  /** Returns the peak of the key with the nth highest, 0 if there are fewer keys. */
  int nth(int n) {
    return n <= sorted.length ? sorted[sorted.length - n] : 0;
  }
}
