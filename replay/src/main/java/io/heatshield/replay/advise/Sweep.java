package io.heatshield.replay.advise;

import io.heatshield.replay.Progress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Tries thresholds, windows, widths and flush windows on the first half of a recording, chooses
 * one, and checks what it promises on the second half.
 *
 * <p>The choice looks only at the first half, and measures its later half, since by then all is
 * warm and the nearest past predicts best. Of the settings that find every hot key with at most a
 * fifth of false alarms, it takes those that save four fifths of what the best saves for all one
 * knows; settings whose sixteen blocks agree go before others. Of these it takes the highest
 * threshold, since fewer alarms tell more, then the shortest flush window and the shortest window.
 */
public final class Sweep {
  private static final int[] WINDOWS = {1_000, 5_000, 10_000, 30_000, 60_000};
  private static final int[] HOT_KEYS = {1, 3, 10, 30, 100, 300};
  private static final int[] WIDTHS = {256, 1_024, 4_096, 16_384};
  private static final long[] FLUSHES = {
    100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000
  };
  private static final int AMPLE_WIDTH = 16_384;
  private static final int MOST_TOP = 16;
  private static final int LEAST_TOP = 10;
  private static final double LEAST_PRECISION = 0.8;
  private static final long MILLI = 1_000_000L;

  private final Recording recording;
  private final long maxWaitNanos;
  private final Progress progress;
  private final int half;
  private long steps;
  private long done;

  private Sweep(Recording recording, long maxWaitNanos, Progress progress) {
    this.recording = recording;
    this.maxWaitNanos = maxWaitNanos;
    this.progress = progress;
    this.half = recording.size() / 2;
  }

  /**
   * Returns advice, or nothing if the first half has no key that comes twice in a window.
   *
   * @param maxWaitNanos the longest flush window that may be chosen
   */
  public static Optional<Advice> of(Recording recording, long maxWaitNanos, Progress progress) {
    return new Sweep(recording, maxWaitNanos, progress).advise();
  }

  private Optional<Advice> advise() {
    var all = new ArrayList<Outcome>();
    int[] windows = windows();
    steps = (long) windows.length * HOT_KEYS.length + WIDTHS.length + 1;
    for (int window : windows) {
      int from = half / 2;
      var peaks = new Peaks(recording, window, from, half);
      var thresholds = thresholds(peaks, window);
      for (long threshold : thresholds) {
        var choice = new Choice(window, threshold, AMPLE_WIDTH, LEAST_TOP, 0);
        all.addAll(Trial.run(recording, choice, FLUSHES, from, half, peaks));
        step();
      }
      done += HOT_KEYS.length - thresholds.size();
    }
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Outcome best = choose(all);
    return Optional.of(settle(best, all));
  }

  private Advice settle(Outcome best, List<Outcome> all) {
    Choice choice = best.choice();
    int window = choice.windowMillis();
    int from = half / 2;
    int top = Math.min(MOST_TOP, Math.max(LEAST_TOP, ((int) best.part().reported() + 3) / 4));
    var peaks = new Peaks(recording, window, from, half);
    var widths = new ArrayList<Outcome>();
    for (int width : WIDTHS) {
      Choice narrower = choice.withWidth(width, top);
      widths.addAll(
          Trial.run(recording, narrower, new long[] {choice.flushNanos()}, from, half, peaks));
      step();
    }
    Outcome chosen = narrowest(widths);
    var after = new Peaks(recording, window, half, recording.size());
    Outcome check =
        Trial.run(
                recording,
                chosen.choice(),
                new long[] {choice.flushNanos()},
                half,
                recording.size(),
                after)
            .get(0);
    step();
    List<Outcome> longest =
        all.stream().filter(tried -> tried.choice().flushNanos() == choice.flushNanos()).toList();
    List<Outcome> flushes =
        all.stream()
            .filter(tried -> tried.choice().windowMillis() == window)
            .filter(tried -> tried.choice().threshold() == choice.threshold())
            .toList();
    return new Advice(longest, widths, flushes, chosen, check, reason(best, chosen));
  }

  private Outcome choose(List<Outcome> all) {
    List<Outcome> allowed =
        all.stream()
            .filter(tried -> tried.choice().flushNanos() <= Math.max(maxWaitNanos, FLUSHES[0]))
            .filter(tried -> tried.part().due() > 0 && tried.part().recall() == 1)
            .filter(tried -> tried.part().precision() >= LEAST_PRECISION)
            .toList();
    List<Outcome> steady = allowed.stream().filter(tried -> tried.part().isSteady()).toList();
    List<Outcome> from = !steady.isEmpty() ? steady : !allowed.isEmpty() ? allowed : all;
    double most = from.stream().mapToDouble(tried -> tried.part().firm()).max().orElse(0);
    Comparator<Outcome> order =
        Comparator.<Outcome>comparingLong(tried -> -tried.choice().threshold())
            .thenComparingLong(tried -> tried.choice().flushNanos())
            .thenComparingInt(tried -> tried.choice().windowMillis());
    return from.stream()
        .filter(tried -> tried.part().firm() >= most - 0.2 * Math.abs(most))
        .min(order)
        .orElseThrow();
  }

  /** Returns the narrowest sketch that does what the widest does. */
  private static Outcome narrowest(List<Outcome> widths) {
    Part widest = widths.get(widths.size() - 1).part();
    return widths.stream()
        .filter(tried -> tried.part().recall() >= widest.recall())
        .filter(tried -> tried.part().precision() >= 0.98 * widest.precision())
        .filter(tried -> tried.part().saved() >= 0.98 * widest.saved())
        .filter(tried -> tried.part().saved() <= 1.02 * widest.saved())
        .findFirst()
        .orElse(widths.get(widths.size() - 1));
  }

  private static String reason(Outcome best, Outcome chosen) {
    return String.format(
        Locale.ROOT,
        "the highest threshold that keeps four fifths of the calls that can be saved with a wait of at most %s;"
            + " %d counters a row do what %d do%s",
        AdviceText.duration(chosen.choice().flushNanos()),
        chosen.choice().width(),
        AMPLE_WIDTH,
        best.part().isSteady()
            ? ""
            : "; the first half changes too much within itself for a firm prediction");
  }

  /** Returns windows that fit four times into the first half, the shortest always. */
  private int[] windows() {
    long millis = half == 0 ? 0 : recording.nanos(half - 1) / MILLI;
    var windows = new ArrayList<Integer>();
    for (int window : WINDOWS) {
      if (windows.isEmpty() || 4L * window <= millis) {
        windows.add(window);
      }
    }
    return windows.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns round thresholds at which 1 to 300 keys are hot, or a few more. */
  private static SortedSet<Long> thresholds(Peaks peaks, int windowMillis) {
    var thresholds = new TreeSet<Long>();
    for (int n : HOT_KEYS) {
      double rate = peaks.nth(n) * 1_000.0 / windowMillis;
      if (peaks.nth(n) >= 2 && rate >= 1) {
        thresholds.add(round(rate));
      }
    }
    return thresholds;
  }

  /** Returns the highest of 1, 2, 5, 10, 20, 50 and so on that is not above a rate. */
  static long round(double rate) {
    long ten = 1;
    while (ten * 10 <= rate) {
      ten *= 10;
    }
    return rate >= 5 * ten ? 5 * ten : rate >= 2 * ten ? 2 * ten : ten;
  }

  private void step() {
    progress.at(++done, steps, done * half);
  }
}
