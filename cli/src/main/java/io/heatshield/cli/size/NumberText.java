package io.heatshield.cli.size;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the numbers of a command line as people write them: {@code 22e9}, {@code 22_000_000_000},
 * {@code 22B}, {@code 1.5M/s}, {@code 0.1%}.
 */
public final class NumberText {
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]{1,18}(?:[_,][0-9]{3})*(?:\\.[0-9]{1,18})?(?:[eE]\\+?[0-9]{1,2})?)");
  private static final Pattern COUNT = Pattern.compile(NUMBER + " ?([A-Za-z]?)");
  private static final Map<String, BigDecimal> UNITS =
      Map.of(
          "", BigDecimal.ONE,
          "K", BigDecimal.valueOf(1_000L),
          "M", BigDecimal.valueOf(1_000_000L),
          "G", BigDecimal.valueOf(1_000_000_000L),
          "B", BigDecimal.valueOf(1_000_000_000L),
          "T", BigDecimal.valueOf(1_000_000_000_000L));
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private NumberText() {}

  /**
   * Returns a whole number within bounds.
   *
   * @throws IllegalArgumentException that names the option, the rule and the text
   */
  public static long count(String option, String text, long min, long max) {
    BigDecimal value = number(text);
    boolean whole =
        value != null && value.compareTo(LARGEST) <= 0 && value.stripTrailingZeros().scale() <= 0;
    if (value == null || !whole || value.longValue() < min || value.longValue() > max) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be a whole number of %d to %d, such as 22e9, 22_000_000_000 or 22B: %s",
              option,
              min,
              max,
              text));
    }
    return value.longValue();
  }

  /**
   * Returns a share above 0 and below 1, written as 0.001 or 0.1%.
   *
   * @throws IllegalArgumentException that names the option, the rule and the text
   */
  public static double share(String option, String text) {
    boolean percent = text.endsWith("%");
    double share = decimal(percent ? text.substring(0, text.length() - 1) + "e-2" : text);
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(
          option + " must be above 0 and below 1, such as 0.001 or 0.1%: " + text);
    }
    return share;
  }

  /**
   * Returns a number per second, written with or without {@code /s}.
   *
   * @throws IllegalArgumentException that names the option, the rule and the text
   */
  public static double perSecond(String option, String text) {
    BigDecimal value = number(text.endsWith("/s") ? text.substring(0, text.length() - 2) : text);
    if (value == null) {
      throw new IllegalArgumentException(
          option + " must be a rate per second, such as 1e6, 1M/s or 250000: " + text);
    }
    return value.doubleValue();
  }

  /**
   * Returns a price of 0 or more.
   *
   * @throws IllegalArgumentException that names the option, the rule and the text
   */
  public static double price(String option, String text) {
    double value = decimal(text);
    if (!(value >= 0)) {
      throw new IllegalArgumentException(option + " must be a number of 0 or more: " + text);
    }
    return value;
  }

  /** Returns a number with an optional unit, or null. */
  private static @Nullable BigDecimal number(String text) {
    Matcher parts = COUNT.matcher(text);
    BigDecimal unit = parts.matches() ? UNITS.get(parts.group(2).toUpperCase(Locale.ROOT)) : null;
    return unit == null
        ? null
        : new BigDecimal(parts.group(1).replaceAll("[_,]", "")).multiply(unit);
  }

  /** Returns a number without a unit, or NaN. */
  private static double decimal(String text) {
    boolean valid = text.matches("[0-9]{1,18}(\\.[0-9]{1,18})?([eE]-?[0-9]{1,3})?");
    return valid ? Double.parseDouble(text) : Double.NaN;
  }
}
