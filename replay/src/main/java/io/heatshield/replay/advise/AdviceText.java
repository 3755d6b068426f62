package io.heatshield.replay.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats advice for a terminal. */
public final class AdviceText {
  private static final String HEAD =
      String.format(
          Locale.ROOT,
          "  %8s %9s %7s %7s %10s %12s %14s %9s %10s",
          "window",
          "threshold",
          "width",
          "flush",
          "recall",
          "false pos.",
          "calls saved",
          "hot keys",
          "memory");

  private AdviceText() {}

  /** Returns the tables, the recommendation and its check. */
  public static List<String> lines(Advice advice) {
    var lines = new ArrayList<String>();
    table(lines, "Thresholds and windows, on the first half", advice.tried(), advice);
    table(lines, "Flush windows", advice.flushes(), advice);
    table(lines, "Memory", advice.widths(), advice);
    lines.add("");
    Candidate candidate = advice.chosen().candidate();
    lines.add(
        String.format(
            Locale.ROOT,
            "recommended: window %s, threshold %,d/s, width %,d, flush window %s",
            candidate.windowText(),
            candidate.threshold(),
            candidate.width(),
            duration(candidate.flushNanos())));
    lines.add("Reason: " + advice.reason() + ".");
    lines.addAll(check(advice));
    return lines;
  }

  /** Returns the prediction from the first half and the result on the second half. */
  static List<String> check(Advice advice) {
    Measurement first = advice.chosen().measured();
    Measurement second = advice.check().measured();
    return List.of(
        String.format(
            Locale.ROOT,
            "predicted from the first half: %.2f %% of calls saved (+- %.2f), recall %.2f %% (n=%d), precision %.2f %% (n=%d)",
            100 * first.savedShare(),
            200 * first.spread(),
            100 * first.recall(),
            first.actual(),
            100 * first.precision(),
            first.reported()),
        String.format(
            Locale.ROOT,
            "measured on the second half:   %.2f %% of calls saved, recall %.2f %% (n=%d), precision %.2f %% (n=%d)",
            100 * second.savedShare(),
            100 * second.recall(),
            second.actual(),
            100 * second.precision(),
            second.reported()),
        String.format(
            Locale.ROOT,
            "check: savings differ by %.1f %%, recall by %.1f and precision by %.1f points: %s",
            100 * advice.savingsOff(),
            100 * Math.abs(second.recall() - first.recall()),
            100 * Math.abs(second.precision() - first.precision()),
            advice.holds()
                ? "the prediction holds within 10 %"
                : "the prediction does NOT hold within 10 %: this traffic changes, so take it as an order of magnitude"));
  }

  /** Returns a duration with its unit, in the syntax of the configuration. */
  public static String duration(long nanos) {
    if (nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + "s";
    }
    return nanos % 1_000_000 == 0 ? nanos / 1_000_000 + "ms" : nanos / 1_000 + "us";
  }

  private static void table(
      List<String> lines, String title, List<Outcome> outcomes, Advice advice) {
    lines.add("");
    lines.add(title);
    lines.add(HEAD);
    for (Outcome outcome : outcomes) {
      Candidate candidate = outcome.candidate();
      Measurement part = outcome.measured();
      boolean chosen = candidate.equals(advice.chosen().candidate());
      lines.add(
          String.format(
              Locale.ROOT,
              "%s %8s %9d %7d %7s %8.2f %% %10.2f %% %12.2f %% %9d %6d KiB",
              chosen ? "*" : " ",
              candidate.windowText(),
              candidate.threshold(),
              candidate.width(),
              duration(candidate.flushNanos()),
              100 * part.recall(),
              100 * (1 - part.precision()),
              100 * part.savedShare(),
              part.reported(),
              outcome.bytes() / 1024));
    }
  }
}
