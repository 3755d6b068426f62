package io.heatshield.cli.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints scenes for people: a live line while a scene runs, then the results without and with
 * protection.
 */
final class TextReport implements SceneListener {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final String ROW = "     %-12s %11s %12s %16s %18s";

  private final PrintWriter out;
  private final boolean terminal;
  private final List<SceneResult> results = new ArrayList<>();

  /**
   * Creates a report.
   *
   * @param terminal whether the output is a terminal, where a line can be overwritten
   */
  TextReport(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void onStart(Scene scene, int number, int total) {
    out.println();
    out.println(number + "/" + total + "  " + scene.id() + ": " + scene.problem());
    out.println(
        format(ROW, "", "requests/s", "throttled/s", "reach the store", "other users' p99"));
    out.flush();
  }

  @Override
  public void onSecond(Phase phase, Measure measure) {
    if (terminal) {
      out.print(CLEAR_LINE + row(phase.toString(), measure));
      out.flush();
    }
  }

  @Override
  public void onEnd(SceneResult result) {
    if (terminal) {
      out.print(CLEAR_LINE);
    }
    out.println(row(Phase.CALM.toString(), result.calm()));
    out.println(row(Phase.UNPROTECTED.toString(), result.before()));
    out.println(row(Phase.PROTECTED.toString(), result.after()));
    out.println(
        format(
            "     %s: %,d calls saved.",
            capital(result.scene().protection()), result.callsSaved()));
    out.flush();
    results.add(result);
  }

  /** Prints a table of all scenes of this round. */
  void summary() {
    out.println();
    out.println(format("%-16s %27s %31s", "scene", "reach the store", "other users' p99"));
    for (SceneResult result : results) {
      out.println(
          format(
              "%-16s %,12.0f/s -> %,8.0f/s %18s -> %9s",
              result.scene().id(),
              result.before().attackStoreCalls(),
              result.after().attackStoreCalls(),
              millis(result.before()),
              millis(result.after())));
    }
    out.flush();
    results.clear();
  }

  private static String row(String label, Measure measure) {
    return format(
        ROW,
        label,
        format("%,.0f", measure.attackRequests()),
        format("%,.0f", measure.throttled()),
        format("%,.0f/s", measure.attackStoreCalls()),
        millis(measure));
  }

  private static String millis(Measure measure) {
    double millis = measure.othersP99Millis();
    return millis < 10 ? format("%.1f ms", millis) : format("%,.0f ms", millis);
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
