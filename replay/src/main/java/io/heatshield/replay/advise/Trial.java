package io.heatshield.replay.advise;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyListener;
import io.heatshield.detect.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a recording through a detector, with a coalescer for every flush window behind it.
 *
 * <p>What happens before {@code from} warms everything up and is not measured.
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

  /** Tries settings on {@code from .. to-1}, once for all flush windows; returns one each. */
  static List<Outcome> run(
      Recording recording, Choice choice, long[] flushes, int from, int to, Peaks peaks) {
    var trial = new Trial(recording, from, to);
    var detector =
        new HotKeyDetector(
            choice.detector(), recording.keyHash(), () -> trial.now, HotKeyListener.NONE);
    var coalescings = new Coalescing[flushes.length];
    for (int f = 0; f < flushes.length; f++) {
      coalescings[f] = new Coalescing(flushes[f], recording.keys());
    }
    long[][] saved = trial.runAll(detector, coalescings);
    var outcomes = new ArrayList<Outcome>();
    for (int f = 0; f < flushes.length; f++) {
      var tried =
          new Choice(
              choice.windowMillis(), choice.threshold(), choice.width(), choice.topK(), flushes[f]);
      Part part = trial.part(saved[f], peaks, choice.detector().hotAt());
      outcomes.add(new Outcome(tried, part, detector.bytes()));
    }
    return outcomes;
  }

  private long[][] runAll(HotKeyDetector detector, Coalescing[] coalescings) {
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

  private Part part(long[] saved, Peaks peaks, long hotAt) {
    long touches = 0;
    long allSaved = 0;
    for (int b = 0; b < BLOCKS; b++) {
      touches += blockTouches[b];
      allSaved += saved[b];
    }
    long due = 0;
    long dueFound = 0;
    long all = 0;
    long right = 0;
    for (int key = 0; key < reported.length; key++) {
      boolean truly = peaks.reached(key, hotAt);
      due += truly ? 1 : 0;
      dueFound += truly && found[key] ? 1 : 0;
      all += reported[key] ? 1 : 0;
      right += truly && reported[key] ? 1 : 0;
    }
    double spread = spread(saved, touches == 0 ? 0 : (double) allSaved / touches);
    return new Part(touches, hotTouches, allSaved, spread, due, dueFound, all, right);
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
