package io.heatshield.cli.view;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Formats the time since an instant, by the clock of this machine. */
final class Age {
  private Age() {}

  /** Returns the time since an ISO 8601 instant, or a dash if there is none. */
  static String since(String instant) {
    try {
      return instant.isEmpty() ? "-" : of(Duration.between(Instant.parse(instant), Instant.now()));
    } catch (DateTimeParseException e) {
      return "-";
    }
  }

  static String of(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 2 * 3_600) {
      return seconds / 60 + " min";
    }
    return seconds < 48 * 3_600 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }
}
