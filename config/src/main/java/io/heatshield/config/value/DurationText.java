package io.heatshield.config.value;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats durations: numbers with units, for example {@code 300us}, {@code 1m30s} or
 * {@code 1.5s}.
 *
 * <p>A day is 24 hours. The longest duration is what fits in a {@code long} of nanoseconds, 292
 * years.
 */
public final class DurationText {
  private static final Map<String, Long> NANOS = new LinkedHashMap<>();

  static {
    NANOS.put("d", 86_400_000_000_000L);
    NANOS.put("h", 3_600_000_000_000L);
    NANOS.put("m", 60_000_000_000L);
    NANOS.put("s", 1_000_000_000L);
    NANOS.put("ms", 1_000_000L);
    NANOS.put("us", 1_000L);
    NANOS.put("ns", 1L);
  }

  private static final Pattern PART =
      Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,19})?)(d|h|ms|m|s|us|µs|μs|ns)");
  private static final Pattern BARE = Pattern.compile("[0-9]{1,19}(\\.[0-9]{1,19})?");
  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final int MAX_LENGTH = 200;

  private DurationText() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration
   */
  public static Duration parse(String text) {
    if (BARE.matcher(text).matches()) {
      throw new InvalidValueException(
          "a duration carries a unit, for example 60s", "write " + text + "s");
    }
    if (text.startsWith("-")) {
      throw new InvalidValueException("a duration must not be negative");
    }
    if (text.length() > MAX_LENGTH) {
      throw notADuration(text);
    }
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int at = 0;
    while (part.find() && part.start() == at) {
      at = part.end();
      BigDecimal unit = BigDecimal.valueOf(unitNanos(part.group(2)));
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
    }
    if (at == 0 || at != text.length()) {
      throw notADuration(text);
    }
    if (nanos.compareTo(LONGEST) > 0) {
      throw new InvalidValueException("a duration must be shorter than 292 years");
    }
    return Duration.ofNanos(nanos.longValue());
  }

  /** Returns the text of a duration that is not negative, in the largest unit that is exact. */
  public static String of(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    for (Map.Entry<String, Long> unit : NANOS.entrySet()) {
      if (nanos % unit.getValue() == 0) {
        return nanos / unit.getValue() + unit.getKey();
      }
    }
    throw new AssertionError("one nanosecond divides every duration");
  }

  private static long unitNanos(String unit) {
    // The micro sign and the Greek letter stand for the letter u.
    return Objects.requireNonNull(NANOS.get(unit.charAt(0) > 127 ? "us" : unit));
  }

  private static InvalidValueException notADuration(String text) {
    String lower = text.toLowerCase(Locale.ROOT).replace(" ", "");
    boolean readable =
        lower.length() <= MAX_LENGTH
            && !lower.equals(text)
            && Pattern.matches("(" + PART.pattern() + ")+", lower);
    return new InvalidValueException(
        "must be a duration, for example 300us, 60s or 1h30m", readable ? "write " + lower : null);
  }
}
