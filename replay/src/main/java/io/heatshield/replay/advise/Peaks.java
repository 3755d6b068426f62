package io.heatshield.replay.advise;

import io.heatshield.replay.ExactWindow;
import java.util.Arrays;

/** The exact maximum count of each key in any window of one part of a recording. */
final class Peaks {
  private static final long MILLI = 1_000_000L;

  private final int[] peaks;
  private final int[] sorted;

  /** Counts windows that end in {@code from .. to-1}; earlier touches fill the first ones. */
  Peaks(Recording recording, int windowMillis, int from, int to) {
    var window = new ExactWindow(windowMillis);
    peaks = new int[recording.keys()];
    for (int i = 0; i < to; i++) {
      window.advance(recording.nanos(i) / MILLI);
      int key = recording.key(i);
      int count = window.touch(key);
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

  /** Returns the nth highest peak, or 0 if there are fewer keys. */
  int nth(int n) {
    return n <= sorted.length ? sorted[sorted.length - n] : 0;
  }
}
