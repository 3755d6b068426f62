package io.heatshield.config.value;

import java.util.regex.Pattern;

/** Parses decimal numbers of YAML 1.2: no leading zeros, no underscores, no infinity. */
public final class Numbers {
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]{0,29})");
  private static final Pattern DECIMAL =
      Pattern.compile("-?(0|[1-9][0-9]{0,29})(\\.[0-9]{1,30})?([eE][-+]?[0-9]{1,5})?");
  private static final Pattern LEADING_ZEROS = Pattern.compile("-?0+[0-9]{1,18}");
  private static final Pattern GROUPED = Pattern.compile("[0-9]{1,18}([_,'][0-9]{1,18}){1,6}");
  private static final Pattern BARE_FRACTION = Pattern.compile("\\.[0-9]{1,18}");

  private Numbers() {}

  /** Parses an integer within bounds, which are inclusive, or fails with a problem. */
  static int readInt(String text, int min, int max, String problem) {
    int value;
    try {
      value = readInt(text);
    } catch (InvalidValueException e) {
      throw new InvalidValueException(problem);
    }
    if (value < min || value > max) {
      throw new InvalidValueException(problem);
    }
    return value;
  }

  public static int readInt(String text) {
    long value = readLong(text);
    if (value != (int) value) {
      throw new InvalidValueException(
          "must be between " + Integer.MIN_VALUE + " and " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  public static long readLong(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw notA("whole number", text);
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new InvalidValueException(
          "must be between " + Long.MIN_VALUE + " and " + Long.MAX_VALUE);
    }
  }

  public static double readDouble(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      throw notA("number", text);
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw new InvalidValueException("is larger than any number that can be held");
    }
    return value;
  }

  public static boolean readBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      case "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE", "y", "1" ->
          throw new InvalidValueException("must be true or false", "write true");
      case "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE", "n", "0" ->
          throw new InvalidValueException("must be true or false", "write false");
      default -> throw new InvalidValueException("must be true or false");
    };
  }

  /** Returns the shortest text that reads as the same number, with no fraction if it has none. */
  public static String text(double value) {
    String text = Double.toString(value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  private static InvalidValueException notA(String kind, String text) {
    String message = "must be a " + kind;
    if (LEADING_ZEROS.matcher(text).matches()) {
      return new InvalidValueException(
          message + " without leading zeros", "write " + Long.parseLong(text) + " in decimal");
    }
    if (GROUPED.matcher(text).matches()) {
      return new InvalidValueException(
          message + " without separators", "write " + text.replaceAll("[_,']", ""));
    }
    if (BARE_FRACTION.matcher(text).matches() && kind.equals("number")) {
      return new InvalidValueException(message, "write 0" + text);
    }
    return new InvalidValueException(message);
  }
}
