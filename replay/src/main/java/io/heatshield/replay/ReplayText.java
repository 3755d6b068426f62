package io.heatshield.replay;

import io.heatshield.replay.trace.TraceFacts;
import io.heatshield.replay.trace.TraceStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the report of a replay for a terminal. */
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
   * @param name the printable name of the trace
   * @param rate the requests per second that were assumed for a trace without times
   * @param maxHotKeys the maximum number of hot keys in the list
   */
  public static List<String> lines(ReplayReport report, String name, double rate, int maxHotKeys) {
    var text = new ReplayText(report);
    text.trace(name, rate);
    text.accuracy();
    text.errors();
    text.hotKeys(maxHotKeys);
    text.topKeys();
    text.warnings();
    return text.lines;
  }

  /** Returns a one-line description of a trace. */
  public static String traceLine(TraceFacts facts, double rate) {
    String format =
        facts.format().name().toLowerCase(Locale.ROOT) + (facts.guessed() ? " (guessed)" : "");
    String fields = facts.fields().isEmpty() ? "" : ", " + facts.fields();
    String time =
        facts.timed()
            ? ", times from the trace"
            : String.format(Locale.ROOT, ", no times: assuming %,.0f requests/s (--rate)", rate);
    return format + fields + time;
  }

  /** Returns a line for each kind of input that was skipped or corrected. */
  public static List<String> warnings(TraceStats stats) {
    var lines = new ArrayList<String>();
    add(lines, stats.blank(), "blank lines");
    add(lines, stats.bad(), "lines that do not match the format");
    add(lines, stats.withoutKey(), "lines without a key");
    add(lines, stats.tooLong(), "lines longer than 64 KiB");
    add(lines, stats.badTimes(), "unreadable times; counted at the time of the previous line");
    add(
        lines,
        stats.backwards(),
        "requests out of order, by up to "
            + ReportFormat.seconds(stats.farthestBackNanos() / 1e9)
            + "; counted at the time of the previous line");
    add(lines, stats.leaps(), "requests that jumped ahead by more than ten minutes");
    add(lines, stats.rebased(), "times that the clock of the trace was reset to that of its lines");
    if (stats.fault() != null) {
      lines.add("THE TRACE IS INCOMPLETE: after line " + stats.lines() + ", " + stats.fault());
    }
    return lines;
  }

  private static void add(List<String> lines, long count, String what) {
    if (count > 0) {
      lines.add(ReportFormat.count(count) + " " + what);
    }
  }

  private void trace(String name, double rate) {
    TraceStats stats = report.trace().stats();
    line("trace      %s: %s", name, traceLine(report.trace(), rate));
    line(
        "read       %s lines, %s requests for %s keys over %s; processed %s requests/s in %s",
        ReportFormat.count(stats.lines()),
        ReportFormat.count(stats.touches()),
        ReportFormat.count(report.distinct()) + (report.beyond() > 0 ? " and more" : ""),
        ReportFormat.seconds(report.durationMillis() / 1e3),
        ReportFormat.count(Math.round(report.touchesPerSecond())),
        ReportFormat.seconds(report.seconds()));
    line(
        "detector   hot at %,d requests/s over %s (%,d requests), %d panes, %d x %d counters, %s",
        report.settings().threshold(),
        ReportFormat.seconds(report.settings().window().toMillis() / 1e3),
        report.settings().hotAt(),
        report.settings().panes(),
        report.settings().depth(),
        report.settings().width(),
        ReportFormat.bytes(report.detector().bytes()));
  }

  private void accuracy() {
    if (!report.exact()) {
      line(
          "exact      not available: a window held more than %,d requests",
          ExactWindow.MAX_TOUCHES);
      return;
    }
    if (report.beyond() > 0) {
      line(
          "exact      for the first %s keys only (--exact-limit); %s requests and %s verdicts for others",
          ReportFormat.count(report.distinct()),
          ReportFormat.count(report.beyond()),
          ReportFormat.count(report.reportsBeyond()));
    }
    long uncertain = report.hotKeys().stream().filter(key -> key.reportedMillis() == null).count();
    line(
        "recall     %s: %,d of %,d hot keys found",
        ReportFormat.percent(report.recall()), report.found(), report.actual());
    line(
        "precision  %s: %,d of %,d reported keys were hot; %,d keys were uncertain only",
        ReportFormat.percent(report.precision()),
        report.truePositives(),
        report.reported(),
        report.hotKeys().stream()
            .filter(key -> key.reportedMillis() == null && key.uncertainMillis() != null)
            .count());
    falsePositives();
    List<Long> delays = report.delays();
    if (!delays.isEmpty()) {
      line(
          "delay      n=%,d: p50 %s, p99 %s, max %s after the threshold was reached",
          delays.size(),
          ReportFormat.seconds(delays.get(delays.size() / 2) / 1e3),
          ReportFormat.seconds(delays.get((int) (0.99 * (delays.size() - 1))) / 1e3),
          ReportFormat.seconds(delays.get(delays.size() - 1) / 1e3));
    }
    if (report.detector().overloaded() || uncertain > report.hotKeys().size() / 2) {
      line(
          "memory     the sketch is too small for this trace: use --width %,d",
          report.detector().sufficientWidth());
    }
  }

  /** Shows how close to the threshold the false positives were. */
  private void falsePositives() {
    var peaks =
        report.hotKeys().stream()
            .filter(key -> key.reportedMillis() != null && key.firstMillis() == null)
            .mapToInt(HotKey::peak)
            .summaryStatistics();
    if (peaks.getCount() > 0) {
      double hotAt = report.settings().hotAt();
      line(
          "           false positives peaked at %s to %s of the threshold; a count covers up to 1/%d more than a window",
          ReportFormat.percent(peaks.getMin() / hotAt),
          ReportFormat.percent(peaks.getMax() / hotAt),
          report.settings().panes());
    }
  }

  private void errors() {
    Errors errors = report.errors();
    if (errors.compared() == 0) {
      return;
    }
    line(
        "errors     n=%,d: estimates too high by %.3f on average, %,d at most; %s within the bound of up to %,d"
            + " (guaranteed: %s); %,d too low",
        errors.compared(),
        errors.mean(),
        errors.max(),
        ReportFormat.percent((double) errors.withinBound() / errors.compared()),
        errors.maxBound(),
        ReportFormat.percent(1 - Math.exp(-report.settings().depth())),
        errors.below());
  }

  private void hotKeys(int max) {
    if (report.hotKeys().isEmpty()) {
      return;
    }
    lines.add("");
    line(
        "%-40s %10s %10s %12s %12s %10s",
        "HOT KEY", "requests", "peak/s", "hot at", "found at", "delay");
    double window = report.settings().window().toMillis() / 1e3;
    report.hotKeys().stream()
        .limit(max)
        .forEach(
            key ->
                line(
                    "%-40s %,10d %,10.1f %12s %12s %10s",
                    ReportFormat.cut(key.key(), KEY_WIDTH),
                    key.touches(),
                    key.peak() / window,
                    moment(key.firstMillis()),
                    moment(key.foundMillis()) + (key.reportedMillis() == null ? "?" : ""),
                    moment(key.delayMillis())));
    if (report.hotKeys().size() > max) {
      line("and %,d more (--top)", report.hotKeys().size() - max);
    }
  }

  private void topKeys() {
    if (report.topKeys().isEmpty()) {
      return;
    }
    lines.add("");
    line(
        "%-40s %10s %9s %10s %12s %12s",
        "TOP KEY", "requests", "share", "peak", "last window", "estimate");
    for (TopKey key : report.topKeys()) {
      line(
          "%-40s %,10d %9s %,10d %,12d %,12d",
          ReportFormat.cut(key.key(), KEY_WIDTH),
          key.touches(),
          ReportFormat.percent(key.share()),
          key.peak(),
          key.count(),
          key.estimate());
    }
  }

  private void warnings() {
    List<String> warnings = warnings(report.trace().stats());
    if (!warnings.isEmpty()) {
      lines.add("");
      warnings.forEach(text -> lines.add("warning: " + text));
    }
  }

  private static String moment(@Nullable Long millis) {
    return millis == null ? "never" : ReportFormat.seconds(millis / 1e3);
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }
}
