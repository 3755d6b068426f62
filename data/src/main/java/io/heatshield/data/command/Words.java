package io.heatshield.data.command;

import io.heatshield.key.KeyText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** The words of commands, read as Redis reads them. */
public final class Words {
  private static final int MAX_DIGITS = 20;
  private static final int MAX_REAL = 64;
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private Words() {}

  /** Returns whether a word is an option, written in any case. */
  static boolean is(byte[] word, String option) {
    if (word.length != option.length()) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (lower(word[i]) != option.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a whole number of 64 bits, written without plus, space or leading zero. */
  public static long integer(byte[] word) {
    return integer(word, Refused.NOT_AN_INTEGER);
  }

  public static long integer(byte[] word, String error) {
    if (!isInteger(word)) {
      throw new Refused(error);
    }
    return Long.parseLong(ascii(word));
  }

  /** Returns whether a word is a whole number of 64 bits in its one form. */
  public static boolean isInteger(byte[] word) {
    int first = word.length > 0 && word[0] == '-' ? 1 : 0;
    if (word.length == first || word.length > MAX_DIGITS) {
      return false;
    }
    for (int i = first; i < word.length; i++) {
      if (word[i] < '0' || word[i] > '9') {
        return false;
      }
    }
    if (word[first] == '0') {
      return word.length == 1;
    }
    if (word.length < MAX_DIGITS - 1) {
      return true;
    }
    try {
      Long.parseLong(ascii(word));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Returns a number with or without a point and an exponent. */
  public static double real(byte[] word, String error) {
    String text = ascii(word);
    if (text.length() > MAX_REAL || !REAL.matcher(text).matches()) {
      throw new Refused(error);
    }
    return Double.parseDouble(text);
  }

  public static byte[] bytes(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  public static String text(byte[] word) {
    return new String(word, StandardCharsets.UTF_8);
  }

  /** Returns a word in lower case, for names that are ASCII. */
  public static String name(byte[] word) {
    return text(word).toLowerCase(Locale.ROOT);
  }

  public static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  /** Returns a word as it may stand in an error, cut at a length. */
  public static String shown(byte[] word, int most) {
    byte[] cut = word.length <= most ? word : Arrays.copyOf(word, most);
    return KeyText.of(cut);
  }

  public static int lower(int b) {
    return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
  }

  private static String ascii(byte[] word) {
    return new String(word, StandardCharsets.ISO_8859_1);
  }
}
