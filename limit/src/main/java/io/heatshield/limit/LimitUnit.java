package io.heatshield.limit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The units of time of limits; their windows are aligned to the Unix epoch. */
public enum LimitUnit {
  /** One second. */
  SECOND(1, 'S'),
  /** 60 seconds. */
  MINUTE(60, 'M'),
  /** 60 minutes. */
  HOUR(60 * 60, 'H'),
  /** 24 hours. */
  DAY(24 * 60 * 60, 'D'),
  /** Seven days; windows begin on Thursday, like the epoch. */
  WEEK(7 * 24 * 60 * 60, 'W'),
  /** 30 days. */
  MONTH(30 * 24 * 60 * 60, 'O'),
  /** 365 days. */
  YEAR(365 * 24 * 60 * 60, 'Y');

  private final int seconds;
  private final char letter;

  LimitUnit(int seconds, char letter) {
    this.seconds = seconds;
    this.letter = letter;
  }

  /** Returns the unit with this name, ignoring case, if there is one. */
  public static Optional<LimitUnit> parse(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return Arrays.stream(values()).filter(unit -> unit.name().equals(upper)).findFirst();
  }

  /** Returns the length of a window in seconds. */
  public long seconds() {
    return seconds;
  }

  /** Returns the length of a window in milliseconds. */
  public long millis() {
    return seconds * 1000L;
  }

  /** Returns the number of the window that contains a Unix time. */
  public long window(long clockMillis) {
    return Math.floorDiv(clockMillis, millis());
  }

  /** Returns the seconds from a Unix time to the end of its window, rounded up. */
  public int secondsLeft(long clockMillis) {
    long into = clockMillis - window(clockMillis) * millis();
    return seconds - (int) (into / 1000);
  }

  /** Returns the letter of the unit in a counter key. */
  public char letter() {
    return letter;
  }
}
