package io.heatshield.replay.advise;

import io.heatshield.detect.DetectorSettings;
import java.time.Duration;

/**
 * Settings that can be tried.
 *
 * @param windowMillis the detector's window
 * @param threshold touches per second that make a key hot
 * @param width counters in a row of the sketch
 * @param topK keys that the detector ranks
 * @param flushNanos how long calls for a hot key gather
 */
public record Choice(int windowMillis, long threshold, int width, int topK, long flushNanos) {
  static final int DEPTH = 4;

  DetectorSettings detector() {
    return DetectorSettings.builder()
        .window(Duration.ofMillis(windowMillis))
        .threshold(threshold)
        .width(width)
        .depth(DEPTH)
        .topK(topK)
        .stripes(1)
        .build();
  }

  Choice withWidth(int other, int otherTopK) {
    return new Choice(windowMillis, threshold, other, otherTopK, flushNanos);
  }
}
