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
 * Tries thresholds, windows, widths and flush windows on the first half of a recording, chooses one
 * combination, and checks its prediction on the second half.
 *
 * <p>Only the second quarter of the recording is measured: by then all structures are warm, and the
 * most recent past predicts best. Candidates must find every hot key with at most 20 % false
 * positives; candidates with stable savings are preferred. Of those within 80 % of the best lower
 * bound of savings, the sweep chooses the highest threshold, because fewer reports are more useful,
 * then the shortest flush window, then the shortest window.
 */
public final class Sweep {
  private static final int[] WINDOWS = {1_000, 5_000, 10_000, 30_000, 60_000};
  private static final int[] HOT_KEYS = {1, 3, 10, 30, 100, 300};
  private static final int[] WIDTHS = {256, 1_024, 4_096, 16_384};
  private static final long[] FLUSHES = {
    100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000
  };
  private static final int MAX_WIDTH = 16_384;
  private static final int MAX_TOP = 16;
  private static final int MIN_TOP = 10;
  private static final double MIN_PRECISION = 0.8;
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
   * Returns advice, or empty if no key occurs twice in a window of the first half.
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
        var candidate = new Candidate(window, threshold, MAX_WIDTH, MIN_TOP, 0);
        all.addAll(Trial.run(recording, candidate, FLUSHES, from, half, peaks));
        step();
      }
      done += HOT_KEYS.length - thresholds.size();
    }
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Outcome best = choose(all);
    return Optional.of(refine(best, all));
  }

  private Advice refine(Outcome best, List<Outcome> all) {
    Candidate candidate = best.candidate();
    int window = candidate.windowMillis();
    int from = half / 2;
    int top = Math.min(MAX_TOP, Math.max(MIN_TOP, ((int) best.measured().reported() + 3) / 4));
    var peaks = new Peaks(recording, window, from, half);
    var widths = new ArrayList<Outcome>();
    for (int width : WIDTHS) {
      Candidate narrower = candidate.withWidth(width, top);
      widths.addAll(
          Trial.run(recording, narrower, new long[] {candidate.flushNanos()}, from, half, peaks));
      step();
    }
    Outcome chosen = narrowest(widths);
    var after = new Peaks(recording, window, half, recording.size());
    Outcome check =
        Trial.run(
                recording,
                chosen.candidate(),
                new long[] {candidate.flushNanos()},
                half,
                recording.size(),
                after)
            .get(0);
    step();
    List<Outcome> longest =
        all.stream()
            .filter(tried -> tried.candidate().flushNanos() == candidate.flushNanos())
            .toList();
    List<Outcome> flushes =
        all.stream()
            .filter(tried -> tried.candidate().windowMillis() == window)
            .filter(tried -> tried.candidate().threshold() == candidate.threshold())
            .toList();
    return new Advice(longest, widths, flushes, chosen, check, reason(best, chosen));
  }

  private Outcome choose(List<Outcome> all) {
    List<Outcome> allowed =
        all.stream()
            .filter(tried -> tried.candidate().flushNanos() <= Math.max(maxWaitNanos, FLUSHES[0]))
            .filter(tried -> tried.measured().actual() > 0 && tried.measured().recall() == 1)
            .filter(tried -> tried.measured().precision() >= MIN_PRECISION)
            .toList();
    List<Outcome> steady = allowed.stream().filter(tried -> tried.measured().isSteady()).toList();
    List<Outcome> from = !steady.isEmpty() ? steady : !allowed.isEmpty() ? allowed : all;
    double most =
        from.stream().mapToDouble(tried -> tried.measured().savedShareLowerBound()).max().orElse(0);
    Comparator<Outcome> order =
        Comparator.<Outcome>comparingLong(tried -> -tried.candidate().threshold())
            .thenComparingLong(tried -> tried.candidate().flushNanos())
            .thenComparingInt(tried -> tried.candidate().windowMillis());
    return from.stream()
        .filter(tried -> tried.measured().savedShareLowerBound() >= most - 0.2 * Math.abs(most))
        .min(order)
        .orElseThrow();
  }

  /** Returns the narrowest sketch that is as good as the widest. */
  private static Outcome narrowest(List<Outcome> widths) {
    Measurement widest = widths.get(widths.size() - 1).measured();
    return widths.stream()
        .filter(tried -> tried.measured().recall() >= widest.recall())
        .filter(tried -> tried.measured().precision() >= 0.98 * widest.precision())
        .filter(tried -> tried.measured().saved() >= 0.98 * widest.saved())
        .filter(tried -> tried.measured().saved() <= 1.02 * widest.saved())
        .findFirst()
        .orElse(widths.get(widths.size() - 1));
  }

  private static String reason(Outcome best, Outcome chosen) {
    return String.format(
        Locale.ROOT,
        "highest threshold with at least 80 %% of the possible savings at a wait of at most %s;"
            + " %d counters per row are as accurate as %d%s",
        AdviceText.duration(chosen.candidate().flushNanos()),
        chosen.candidate().width(),
        MAX_WIDTH,
        best.measured().isSteady()
            ? ""
            : "; traffic in the first half varies too much for a reliable prediction");
  }

  /** Returns the windows that fit four times into the first half, and always the shortest. */
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

  /** Returns round thresholds at which about 1 to 300 keys are hot. */
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

  /** Rounds a rate down to 1, 2, 5, 10, 20, 50 and so on. */
  static long round(double rate) {
    long ten = 1;
    while (ten * 10 <= rate) {
      ten *= 10;
    }
    return rate >= 5 * ten ? 5 * ten : rate >= 2 * ten ? 2 * ten : ten;
  }

  private void step() {
    progress.update(++done, steps, done * half);
  }
}
