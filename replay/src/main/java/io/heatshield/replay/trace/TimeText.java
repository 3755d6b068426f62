package io.heatshield.replay.trace;

import java.nio.charset.StandardCharsets;

/** Times as traces write them, read from bytes: numbers, ISO 8601, and those of access logs. */
final class TimeText {
  private static final long SECOND = 1_000_000_000L;
  private static final int LAST_YEAR = 2095;

  /** The latest time that is read, in 2096: differences of two times then fit in a long. */
  static final long LATEST = 4_000_000_000_000_000_000L;

  private static final byte[] MONTHS =
      "JanFebMarAprMayJunJulAugSepOctNovDec".getBytes(StandardCharsets.US_ASCII);

  private TimeText() {}

  /** Returns a number or ISO time in nanoseconds, or {@link Touch#NO_TIME} if it is neither. */
  static long parse(byte[] text, int from, int to, NumberUnit unit) {
    boolean dashed = to - from >= 19 && text[from + 4] == '-' && text[from + 7] == '-';
    return dashed ? iso(text, from, to) : number(text, from, to, unit);
  }

  /** Returns a number with or without a fraction in nanoseconds. */
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

  /**
   * Returns the time of {@code 2026-11-15T13:55:36.123Z}, with T or a space, any offset or none.
   */
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

  /** Returns the time of {@code 10/Oct/2000:13:55:36 -0700}. */
  static long accessLog(byte[] text, int from, int to) {
    if (to - from != 26 || text[from + 2] != '/' || text[from + 6] != '/') {
      return Touch.NO_TIME;
    }
    int day = digits(text, from, 2);
    int month = month(text, from + 3);
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

  /** Returns seconds since 1970 of a date and {@code HH:MM:SS}, or -1. */
  private static long clock(byte[] text, int from, int year, int month, int day) {
    int hour = digits(text, from, 2);
    int minute = digits(text, from + 3, 2);
    int second = digits(text, from + 6, 2);
    boolean sound =
        year >= 1970
            && year <= LAST_YEAR
            && (month >= 1 && month <= 12)
            && (day >= 1 && day <= 31)
            && (hour >= 0 && hour <= 23)
            && (minute >= 0 && minute <= 59)
            && (second >= 0 && second <= 60)
            && text[from + 2] == ':'
            && text[from + 5] == ':';
    return sound ? days(year, month, day) * 86_400L + hour * 3600L + minute * 60L + second : -1;
  }

  /** Returns the days since 1970, by counting years that begin in March. */
  private static long days(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int era = y / 400;
    int yearOfEra = y - era * 400;
    int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097L + dayOfEra - 719_468L;
  }

  private static int month(byte[] text, int from) {
    for (int m = 0; m < 12; m++) {
      if (text[from] == MONTHS[3 * m]
          && text[from + 1] == MONTHS[3 * m + 1]
          && text[from + 2] == MONTHS[3 * m + 2]) {
        return m + 1;
      }
    }
    return -1;
  }

  /** Nanoseconds since 1970 have 19 digits. */
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
