package io.heatshield.replay;

import io.heatshield.replay.trace.TraceStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A replay's report as lines for a terminal. */
public final class ReplayText {
  private static final int KEY_WIDTH = 40;

  private final ReplayReport report;
  private final List<String> lines = new ArrayList<>();

  private ReplayText(ReplayReport report) {
    this.report = report;
  }

  /**
   * Returns the report.
   *
   * @param name the trace's name, printable
   * @param rate touches per second that stood for times where the trace has none
   * @param most the most hot keys that are listed
   */
  public static List<String> lines(ReplayReport report, String name, double rate, int most) {
    var text = new ReplayText(report);
    text.trace(name, rate);
    text.verdict();
    text.errors();
    text.hotKeys(most);
    text.topKeys();
    text.passedOver();
    return text.lines;
  }

  /** Returns what a trace is, in one line. */
  public static String traceLine(TraceFacts facts, double rate) {
    String format =
        facts.format().name().toLowerCase(Locale.ROOT) + (facts.guessed() ? " (guessed)" : "");
    String fields = facts.fields().isEmpty() ? "" : ", " + facts.fields();
    String time =
        facts.timed()
            ? ", times from the trace"
            : String.format(Locale.ROOT, ", no times: taken as %,.0f touches/s (--rate)", rate);
    return format + fields + time;
  }

  /** Returns what was passed over in a trace, one line each, none where all was sound. */
  public static List<String> passedOver(TraceStats stats) {
    var lines = new ArrayList<String>();
    add(lines, stats.blank(), "blank lines");
    add(lines, stats.bad(), "lines that are not of the format");
    add(lines, stats.withoutKey(), "lines that touch no key");
    add(lines, stats.tooLong(), "lines longer than 64 KiB");
    add(lines, stats.badTimes(), "times that could not be read; counted at the time reached");
    add(
        lines,
        stats.backwards(),
        "touches earlier than one before them, by up to "
            + Shown.seconds(stats.farthestBackNanos() / 1e9)
            + "; counted at the time reached");
    add(lines, stats.leaps(), "touches that leapt ahead by more than ten minutes");
    add(lines, stats.rebased(), "times the clock of the trace was given up for that of its lines");
    if (stats.fault() != null) {
      lines.add("THE TRACE IS NOT WHOLE: after line " + stats.lines() + ", " + stats.fault());
    }
    return lines;
  }

  private static void add(List<String> lines, long count, String what) {
    if (count > 0) {
      lines.add(Shown.count(count) + " " + what);
    }
  }

  private void trace(String name, double rate) {
    TraceStats stats = report.trace().stats();
    line("trace      %s: %s", name, traceLine(report.trace(), rate));
    line(
        "read       %s lines, %s touches of %s keys over %s of its time; %s touches/s, %s",
        Shown.count(stats.lines()),
        Shown.count(stats.touches()),
        Shown.count(report.distinct()) + (report.beyond() > 0 ? " and more" : ""),
        Shown.seconds(report.durationMillis() / 1e3),
        Shown.count(Math.round(report.touchesPerSecond())),
        Shown.seconds(report.seconds()));
    line(
        "detector   hot from %,d touches/s over %s (%,d touches), %d panes, %d x %d, %s",
        report.settings().threshold(),
        Shown.seconds(report.settings().window().toMillis() / 1e3),
        report.settings().hotAt(),
        report.settings().panes(),
        report.settings().depth(),
        report.settings().width(),
        Shown.bytes(report.detector().bytes()));
  }

  private void verdict() {
    if (!report.truthKnown()) {
      line("truth      given up: a window held more than %,d touches", SlidingTruth.MOST_TOUCHES);
      return;
    }
    if (report.beyond() > 0) {
      line(
          "truth      of the first %s keys only (--exact-limit); %s touches and %s verdicts were on others",
          Shown.count(report.distinct()),
          Shown.count(report.beyond()),
          Shown.count(report.reportsBeyond()));
    }
    long doubted = report.hotKeys().stream().filter(key -> key.reportedMillis() == null).count();
    line(
        "recall     %s: %,d of %,d keys that were hot were found",
        Shown.percent(report.recall()), report.found(), report.due());
    line(
        "precision  %s: %,d of %,d keys that were reported were hot; %,d keys were uncertain only",
        Shown.percent(report.precision()),
        report.rightlyReported(),
        report.reported(),
        report.hotKeys().stream()
            .filter(key -> key.reportedMillis() == null && key.doubtedMillis() != null)
            .count());
    falseAlarms();
    List<Long> delays = report.delays();
    if (!delays.isEmpty()) {
      line(
          "detection  n=%,d: median %s, p99 %s, latest %s after the count was reached",
          delays.size(),
          Shown.seconds(delays.get(delays.size() / 2) / 1e3),
          Shown.seconds(delays.get((int) (0.99 * (delays.size() - 1))) / 1e3),
          Shown.seconds(delays.get(delays.size() - 1) / 1e3));
    }
    if (report.detector().overloaded() || doubted > report.hotKeys().size() / 2) {
      line(
          "memory     the sketch is small for this trace: a width of %,d would do",
          report.detector().sufficientWidth());
    }
  }

  /** Says how near to the threshold the keys were that were reported and not hot. */
  private void falseAlarms() {
    var peaks =
        report.hotKeys().stream()
            .filter(key -> key.reportedMillis() != null && key.firstMillis() == null)
            .mapToInt(HotKey::peak)
            .summaryStatistics();
    if (peaks.getCount() > 0) {
      double hotAt = report.settings().hotAt();
      line(
          "           the others came to %s to %s of the threshold; a count covers up to 1/%d more than a window",
          Shown.percent(peaks.getMin() / hotAt),
          Shown.percent(peaks.getMax() / hotAt),
          report.settings().panes());
    }
  }

  private void errors() {
    Errors errors = report.errors();
    if (errors.compared() == 0) {
      return;
    }
    line(
        "errors     n=%,d: estimates too high by %.3f on average, %,d at most; stated bound up to %,d, held by %s"
            + " (promised %s); %,d too low",
        errors.compared(),
        errors.mean(),
        errors.max(),
        errors.maxBound(),
        Shown.percent((double) errors.withinBound() / errors.compared()),
        Shown.percent(1 - Math.exp(-report.settings().depth())),
        errors.below());
  }

  private void hotKeys(int most) {
    if (report.hotKeys().isEmpty()) {
      return;
    }
    lines.add("");
    line(
        "%-40s %10s %10s %12s %12s %10s",
        "HOT KEY", "touches", "peak/s", "hot at", "found at", "delay");
    double window = report.settings().window().toMillis() / 1e3;
    report.hotKeys().stream()
        .limit(most)
        .forEach(
            key ->
                line(
                    "%-40s %,10d %,10.1f %12s %12s %10s",
                    Shown.cut(key.key(), KEY_WIDTH),
                    key.touches(),
                    key.peak() / window,
                    moment(key.firstMillis()),
                    moment(key.foundMillis()) + (key.reportedMillis() == null ? "?" : ""),
                    moment(key.delayMillis())));
    if (report.hotKeys().size() > most) {
      line("and %,d more (--top)", report.hotKeys().size() - most);
    }
  }

  private void topKeys() {
    if (report.topKeys().isEmpty()) {
      return;
    }
    lines.add("");
    line(
        "%-40s %10s %9s %10s %12s %12s",
        "TOP KEY", "touches", "share", "peak", "last window", "estimate");
    for (TopKey key : report.topKeys()) {
      line(
          "%-40s %,10d %9s %,10d %,12d %,12d",
          Shown.cut(key.key(), KEY_WIDTH),
          key.touches(),
          Shown.percent(key.share()),
          key.peak(),
          key.count(),
          key.estimate());
    }
  }

  private void passedOver() {
    List<String> passed = passedOver(report.trace().stats());
    if (!passed.isEmpty()) {
      lines.add("");
      passed.forEach(text -> lines.add("passed over: " + text));
    }
  }

  private static String moment(@org.jspecify.annotations.Nullable Long millis) {
    return millis == null ? "never" : Shown.seconds(millis / 1e3);
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }
}
