package io.heatshield.data.command;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Parses arguments of commands as Redis parses them. */
public final class ArgumentParser {
  private static final int MAX_DIGITS = 20;
  private static final int MAX_REAL = 64;
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private ArgumentParser() {}

  /** Returns whether an argument is an option, which is given in lower case, in any case. */
  static boolean is(byte[] arg, String option) {
    if (arg.length != option.length()) {
      return false;
    }
    for (int i = 0; i < arg.length; i++) {
      if (lower(arg[i]) != option.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Parses a 64-bit integer, written without plus, space or leading zero. */
  public static long integer(byte[] arg) {
    return integer(arg, CommandException.NOT_AN_INTEGER);
  }

  static long integer(byte[] arg, String error) {
    if (!isInteger(arg)) {
      throw new CommandException(error);
    }
    return Long.parseLong(ascii(arg));
  }

  /** Returns whether an argument is a 64-bit integer in its canonical form. */
  static boolean isInteger(byte[] arg) {
    int first = arg.length > 0 && arg[0] == '-' ? 1 : 0;
    if (arg.length == first || arg.length > MAX_DIGITS) {
      return false;
    }
    for (int i = first; i < arg.length; i++) {
      if (arg[i] < '0' || arg[i] > '9') {
        return false;
      }
    }
    if (arg[first] == '0') {
      return arg.length == 1;
    }
    if (arg.length < MAX_DIGITS - 1) {
      return true;
    }
    try {
      Long.parseLong(ascii(arg));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Parses a decimal number with or without a fraction and an exponent. */
  static double real(byte[] arg, String error) {
    String text = ascii(arg);
    if (text.length() > MAX_REAL || !REAL.matcher(text).matches()) {
      throw new CommandException(error);
    }
    return Double.parseDouble(text);
  }

  /** Returns an ASCII character in lower case. */
  public static int lower(int b) {
    return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
  }

  private static String ascii(byte[] arg) {
    return new String(arg, StandardCharsets.ISO_8859_1);
  }
}
