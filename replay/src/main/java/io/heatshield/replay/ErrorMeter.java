package io.heatshield.replay;

import io.heatshield.detect.DetectorStats;
import io.heatshield.detect.Estimate;
import io.heatshield.detect.HashedHotKeyDetector;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the detector's estimates with exact counts at the end of each pane.
 *
 * <p>At that moment an estimate covers exactly one window, so any difference is the sketch's own
 * error. Each comparison takes at most {@value #KEYS} keys, evenly spaced in order of first
 * appearance.
 */
final class ErrorMeter {
  private static final int KEYS = 1024;
  private static final int MAX_SAMPLES = 2048;

  private final List<Sample> samples = new ArrayList<>();
  private int every = 1;
  private long checks;
  private long compared;
  private double sum;
  private long max;
  private long below;
  private long withinBound;
  private long maxBound;

  void compare(long millis, HashedHotKeyDetector detector, KeyTable keys, ExactWindow window) {
    DetectorStats stats = detector.detector().stats();
    int stride = Math.max(1, keys.size() / KEYS);
    long here = 0;
    long hereMax = 0;
    double hereSum = 0;
    for (int key = (int) (checks % stride); key < keys.size(); key += stride) {
      int count = window.count(key);
      if (count == 0) {
        continue;
      }
      Estimate estimate = detector.estimate(keys.hash(key));
      long error = estimate.touches() - count;
      here++;
      hereSum += error;
      hereMax = Math.max(hereMax, error);
      below += error < 0 ? 1 : 0;
      withinBound += error <= stats.errorBound() ? 1 : 0;
    }
    compared += here;
    sum += hereSum;
    max = Math.max(max, hereMax);
    maxBound = Math.max(maxBound, stats.errorBound());
    if (checks++ % every == 0) {
      double mean = here == 0 ? 0 : hereSum / here;
      samples.add(
          new Sample(millis, stats.inWindow(), stats.errorBound(), mean, hereMax, stats.hot()));
      thin();
    }
  }

  Errors errors() {
    return new Errors(
        compared, compared == 0 ? 0 : sum / compared, max, maxBound, withinBound, below);
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** Drops every other sample when the list is full, so that its size is bounded. */
  private void thin() {
    if (samples.size() < MAX_SAMPLES) {
      return;
    }
    for (int i = 0; i < MAX_SAMPLES / 2; i++) {
      samples.set(i, samples.get(2 * i));
    }
    samples.subList(MAX_SAMPLES / 2, samples.size()).clear();
    every *= 2;
  }
}
