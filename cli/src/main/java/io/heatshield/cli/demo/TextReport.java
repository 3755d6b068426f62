package io.heatshield.cli.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells the scenes to people: what happens, one line that moves while it happens, and the numbers
 * without and with protection.
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
   * @param terminal whether the output is a terminal, on which a line can be written again
   */
  TextReport(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void began(Scene scene, int number, int of) {
    out.println();
    out.println(number + "/" + of + "  " + scene.id() + ": " + scene.problem());
    out.println(say(ROW, "", "requests/s", "throttled/s", "reach the store", "other users' p99"));
    out.flush();
  }

  @Override
  public void measured(Scene scene, Phase phase, Measure second) {
    if (terminal) {
      out.print(CLEAR_LINE + row(phase.toString(), second));
      out.flush();
    }
  }

  @Override
  public void ended(SceneResult result) {
    if (terminal) {
      out.print(CLEAR_LINE);
    }
    out.println(row(Phase.CALM.toString(), result.calm()));
    out.println(row(Phase.UNPROTECTED.toString(), result.before()));
    out.println(row(Phase.PROTECTED.toString(), result.after()));
    out.println(
        say(
            "     %s: %,d calls saved.",
            capital(result.scene().protection()), result.callsSaved()));
    out.flush();
    results.add(result);
  }

  /** Prints all scenes so far as a table. */
  void summary() {
    out.println();
    out.println(say("%-16s %27s %31s", "scene", "reach the store", "other users' p99"));
    for (SceneResult result : results) {
      out.println(
          say(
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
    return say(
        ROW,
        label,
        say("%,.0f", measure.attackRequests()),
        say("%,.0f", measure.throttled()),
        say("%,.0f/s", measure.attackStoreCalls()),
        millis(measure));
  }

  private static String millis(Measure measure) {
    double millis = measure.othersP99Millis();
    return millis < 10 ? say("%.1f ms", millis) : say("%,.0f ms", millis);
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
