package io.heatshield.replay;

import io.heatshield.detect.DetectorStats;
import io.heatshield.detect.Estimate;
import io.heatshield.detect.HotKeyDetector;
import java.util.ArrayList;
import java.util.List;

/**
 * The detector's estimates compared with the truth at the ends of its panes.
 *
 * <p>There the estimate covers exactly one window, so that what is left is the sketch's own error.
 * At most {@value #KEYS} keys are compared each time, spread over all in the order in which they
 * first came.
 */
final class ErrorCheck {
  private static final int KEYS = 1024;
  private static final int MOST_SAMPLES = 2048;

  private final List<Sample> samples = new ArrayList<>();
  private int every = 1;
  private long checks;
  private long compared;
  private double sum;
  private long max;
  private long below;
  private long withinBound;
  private long maxBound;

  void compare(long millis, HotKeyDetector detector, KeyCensus census, SlidingTruth truth) {
    DetectorStats stats = detector.stats();
    int stride = Math.max(1, census.size() / KEYS);
    long here = 0;
    long hereMax = 0;
    double hereSum = 0;
    for (int key = (int) (checks % stride); key < census.size(); key += stride) {
      int count = truth.count(key);
      if (count == 0) {
        continue;
      }
      Estimate estimate = detector.estimate(census.hash(key));
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

  /** Keeps every other sample when there are too many, so that a trace of any length fits. */
  private void thin() {
    if (samples.size() < MOST_SAMPLES) {
      return;
    }
    for (int i = 0; i < MOST_SAMPLES / 2; i++) {
      samples.set(i, samples.get(2 * i));
    }
    samples.subList(MOST_SAMPLES / 2, samples.size()).clear();
    every *= 2;
  }
}
