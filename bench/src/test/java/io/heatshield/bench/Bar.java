package io.heatshield.bench;

import java.util.Locale;
import java.util.Map;

/**
 * A required ratio: the time of one benchmark divided by that of another in the same run.
 *
 * @param ours the measured benchmark, as {@code Class.method/threads} followed by its parameters
 * @param rival the benchmark it is compared with, in the same form
 * @param atMost the maximum ratio of nanoseconds per operation that passes
 * @param says the meaning of the bar
 */
record Bar(String ours, String rival, double atMost, String says) {

  /** Returns the bar's line of the table. */
  String line(Map<String, JmhResult> results) {
    JmhResult one = results.get(ours);
    JmhResult other = results.get(rival);
    if (one == null || other == null) {
      return String.format(
          Locale.ROOT, "| %s | `%s` | `%s` | | %s | not run |", says, ours, rival, number(atMost));
    }
    double ratio = one.least() / other.least();
    return String.format(
        Locale.ROOT,
        "| %s | `%s` %s | `%s` %s | %s | %s | %s |",
        says,
        ours,
        number(one.least()),
        rival,
        number(other.least()),
        number(ratio),
        number(atMost),
        ratio <= atMost ? "pass" : "**FAIL**");
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
