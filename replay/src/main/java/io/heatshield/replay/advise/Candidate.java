package io.heatshield.replay.advise;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.HotKeyDetector;
import java.time.Duration;

/**
 * A combination of settings to try.
 *
 * @param windowMillis the detector's window
 * @param threshold requests per second at which a key is hot
 * @param width counters in a row of the sketch
 * @param topK the number of keys that the detector ranks
 * @param flushNanos how long calls for a hot key are batched
 */
public record Candidate(int windowMillis, long threshold, int width, int topK, long flushNanos) {
  static final int DEPTH = 4;

  DetectorSettings detector() {
    return HotKeyDetector.builder()
        .window(Duration.ofMillis(windowMillis))
        .threshold(threshold)
        .width(width)
        .depth(DEPTH)
        .topK(topK)
        .stripes(1)
        .toSettings();
  }

  Candidate withWidth(int other, int otherTopK) {
    return new Candidate(windowMillis, threshold, other, otherTopK, flushNanos);
  }

  Candidate withFlush(long otherNanos) {
    return new Candidate(windowMillis, threshold, width, topK, otherNanos);
  }

  /** Returns the window in the syntax of the configuration. */
  public String windowText() {
    return AdviceText.duration(windowMillis * 1_000_000L);
  }
}
