package io.heatshield.replay.trace;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;

/** Parses times of traces: numbers, ISO 8601 and the format of access logs. */
final class TimeText {
  private static final long SECOND = 1_000_000_000L;
  private static final int LAST_YEAR = 2095;

  /** The latest supported time, in 2096, so that the difference of two times fits in a long. */
  static final long LATEST = 4_000_000_000_000_000_000L;

  private static final List<String> MONTHS =
      List.of("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "));

  private TimeText() {}

  /** Parses a number or an ISO 8601 time; returns nanoseconds or {@link Touch#NO_TIME}. */
  static long parse(byte[] text, int from, int to, NumberUnit unit) {
    boolean dashed = to - from >= 19 && text[from + 4] == '-' && text[from + 7] == '-';
    return dashed ? iso(text, from, to) : number(text, from, to, unit);
  }

  /** Parses a number with or without a fraction; returns nanoseconds. */
  static long number(byte[] text, int from, int to, NumberUnit unit) {
    long whole = 0;
    int i = from;
    for (; i < to && isDigit(text[i]); i++) {
      if (i - from >= 18) {
        return longNumber(text, from, to, unit);
      }
      whole = whole * 10 + (text[i] - '0');
    }
    if (i == from) {
      return Touch.NO_TIME;
    }
    long scale = unit.nanosFor(whole);
    if (whole > LATEST / scale - 1) {
      return Touch.NO_TIME;
    }
    long nanos = whole * scale;
    if (i == to) {
      return nanos;
    }
    if (text[i] != '.') {
      return Touch.NO_TIME;
    }
    for (i++; i < to; i++) {
      if (!isDigit(text[i])) {
        return Touch.NO_TIME;
      }
      scale /= 10;
      nanos += (text[i] - '0') * scale;
    }
    return nanos;
  }

  /** Parses {@code 2026-11-15T13:55:36.123Z}, with T or a space, with or without an offset. */
  static long iso(byte[] text, int from, int to) {
    int year = digits(text, from, 4);
    int month = digits(text, from + 5, 2);
    int day = digits(text, from + 8, 2);
    if (to - from < 19 || (text[from + 10] != 'T' && text[from + 10] != ' ')) {
      return Touch.NO_TIME;
    }
    long seconds = clock(text, from + 11, year, month, day);
    if (seconds < 0) {
      return Touch.NO_TIME;
    }
    int i = from + 19;
    long nanos = 0;
    if (i < to && (text[i] == '.' || text[i] == ',')) {
      long scale = SECOND;
      for (i++; i < to && isDigit(text[i]); i++) {
        scale /= 10;
        nanos += (text[i] - '0') * scale;
      }
    }
    if (i < to && !(text[i] == 'Z' && i + 1 == to)) {
      int sign = text[i] == '+' ? 1 : text[i] == '-' ? -1 : 0;
      boolean colon = to - i == 6 && text[i + 3] == ':';
      if (sign == 0 || (to - i != 5 && !colon)) {
        return Touch.NO_TIME;
      }
      int hours = digits(text, i + 1, 2);
      int minutes = digits(text, colon ? i + 4 : i + 3, 2);
      if (hours < 0 || minutes < 0) {
        return Touch.NO_TIME;
      }
      seconds -= sign * (hours * 3600L + minutes * 60L);
    }
    return seconds < 0 ? Touch.NO_TIME : seconds * SECOND + nanos;
  }

  /** Parses {@code 10/Oct/2000:13:55:36 -0700}. */
  static long accessLog(byte[] text, int from, int to) {
    if (to - from != 26 || text[from + 2] != '/' || text[from + 6] != '/') {
      return Touch.NO_TIME;
    }
    int day = digits(text, from, 2);
    int month = MONTHS.indexOf(new String(text, from + 3, 3, StandardCharsets.US_ASCII)) + 1;
    int year = digits(text, from + 7, 4);
    long seconds = text[from + 11] == ':' ? clock(text, from + 12, year, month, day) : -1;
    int sign = text[from + 21] == '+' ? 1 : text[from + 21] == '-' ? -1 : 0;
    int hours = digits(text, from + 22, 2);
    int minutes = digits(text, from + 24, 2);
    if (seconds < 0 || sign == 0 || hours < 0 || minutes < 0) {
      return Touch.NO_TIME;
    }
    long utc = seconds - sign * (hours * 3600L + minutes * 60L);
    return utc < 0 ? Touch.NO_TIME : utc * SECOND;
  }

  /** Parses {@code HH:MM:SS}; returns the seconds since 1970 of that date and time, or -1. */
  private static long clock(byte[] text, int from, int year, int month, int day) {
    int hour = digits(text, from, 2);
    int minute = digits(text, from + 3, 2);
    int second = digits(text, from + 6, 2);
    boolean valid =
        year >= 1970
            && year <= LAST_YEAR
            && (month >= 1 && month <= 12)
            && (day >= 1 && day <= 31)
            && (hour >= 0 && hour <= 23)
            && (minute >= 0 && minute <= 59)
            && (second >= 0 && second <= 60)
            && text[from + 2] == ':'
            && text[from + 5] == ':';
    if (!valid) {
      return -1;
    }
    // Day 31 of a shorter month counts as a day of the next month.
    long days = LocalDate.of(year, month, 1).toEpochDay() + day - 1;
    return days * 86_400L + hour * 3600L + minute * 60L + second;
  }

  /** Parses a number of 19 digits: nanoseconds since 1970. */
  private static long longNumber(byte[] text, int from, int to, NumberUnit unit) {
    if (to - from > 19 || (unit != NumberUnit.AUTO && unit != NumberUnit.NS)) {
      return Touch.NO_TIME;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(text[i]) || value > (Long.MAX_VALUE - 9) / 10) {
        return Touch.NO_TIME;
      }
      value = value * 10 + (text[i] - '0');
    }
    return value > LATEST ? Touch.NO_TIME : value;
  }

  private static int digits(byte[] text, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      if (i >= text.length || !isDigit(text[i])) {
        return -1;
      }
      value = value * 10 + (text[i] - '0');
    }
    return value;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
