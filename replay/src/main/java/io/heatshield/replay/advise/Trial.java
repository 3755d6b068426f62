package io.heatshield.replay.advise;

import io.heatshield.detect.HashedHotKeyDetector;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a recording through a detector and, behind it, one coalescer for each flush window.
 *
 * <p>Touches before {@code from} warm up the structures and are not measured.
 */
final class Trial {
  private static final long MILLI = 1_000_000L;
  private static final int BLOCKS = 16;
  private static final byte[] NO_TEXT = {};

  private final Recording recording;
  private final int from;
  private final int to;
  private final boolean[] reported;
  private final boolean[] found;
  private final long[] blockTouches = new long[BLOCKS];
  private long hotTouches;
  private long now;

  private Trial(Recording recording, int from, int to) {
    this.recording = recording;
    this.from = from;
    this.to = to;
    this.reported = new boolean[recording.keys()];
    this.found = new boolean[recording.keys()];
  }

  /** Tries settings on {@code from .. to-1}; returns one outcome for each flush window. */
  static List<Outcome> run(
      Recording recording, Candidate candidate, long[] flushes, int from, int to, Peaks peaks) {
    var trial = new Trial(recording, from, to);
    HashedHotKeyDetector detector =
        HotKeyDetector.builder()
            .settings(candidate.detector())
            .secret(recording.secret())
            .ticker(() -> trial.now)
            .build()
            .hashed(recording.keyHash());
    var coalescings = new Coalescing[flushes.length];
    for (int f = 0; f < flushes.length; f++) {
      coalescings[f] = new Coalescing(flushes[f], recording.keys());
    }
    long[][] saved = trial.runAll(detector, coalescings);
    var outcomes = new ArrayList<Outcome>();
    for (int f = 0; f < flushes.length; f++) {
      Measurement measured = trial.measure(saved[f], peaks, candidate.detector().hotAt());
      outcomes.add(
          new Outcome(candidate.withFlush(flushes[f]), measured, detector.detector().bytes()));
    }
    return outcomes;
  }

  private long[][] runAll(HashedHotKeyDetector detector, Coalescing[] coalescings) {
    long[][] saved = new long[coalescings.length][BLOCKS];
    for (int i = 0; i < to; i++) {
      long nanos = recording.nanos(i);
      int key = recording.key(i);
      now = nanos / MILLI * MILLI;
      Verdict verdict = detector.touch(recording.hash(key), NO_TEXT, 1);
      boolean measured = i >= from;
      int block = measured ? (int) ((long) (i - from) * BLOCKS / (to - from)) : 0;
      if (measured) {
        blockTouches[block]++;
      }
      if (verdict == Verdict.COOL) {
        continue;
      }
      boolean isHot = verdict.isHot();
      if (measured) {
        found[key] = true;
        reported[key] |= isHot;
        hotTouches += isHot ? 1 : 0;
      }
      for (int f = 0; isHot && f < coalescings.length; f++) {
        if (coalescings[f].isSaved(key, nanos) && measured) {
          saved[f][block]++;
        }
      }
    }
    return saved;
  }

  private Measurement measure(long[] saved, Peaks peaks, long hotAt) {
    long touches = 0;
    long allSaved = 0;
    for (int b = 0; b < BLOCKS; b++) {
      touches += blockTouches[b];
      allSaved += saved[b];
    }
    long actual = 0;
    long actualFound = 0;
    long reportedKeys = 0;
    long truePositives = 0;
    for (int key = 0; key < reported.length; key++) {
      boolean hot = peaks.reached(key, hotAt);
      actual += hot ? 1 : 0;
      actualFound += hot && found[key] ? 1 : 0;
      reportedKeys += reported[key] ? 1 : 0;
      truePositives += hot && reported[key] ? 1 : 0;
    }
    double spread = spread(saved, touches == 0 ? 0 : (double) allSaved / touches);
    return new Measurement(
        touches, hotTouches, allSaved, spread, actual, actualFound, reportedKeys, truePositives);
  }

  /** Returns the standard error of the mean over the blocks. */
  private double spread(long[] saved, double mean) {
    double squares = 0;
    for (int b = 0; b < BLOCKS; b++) {
      double share = blockTouches[b] == 0 ? mean : (double) saved[b] / blockTouches[b];
      squares += (share - mean) * (share - mean);
    }
    return Math.sqrt(squares / (BLOCKS - 1) / BLOCKS);
  }
}
