package io.heatshield.data.command.keys;

import io.heatshield.data.command.CommandException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of INCRBYFLOAT: that of a C {@code long double} on x86, which is what Redis uses.
 *
 * <p>A number is exact here and rounded to 64 significant bits after each step, halves to even; the
 * text is that of {@code %.17Lf} without the zeros at its end. Of the range only its end matters:
 * what would not be finite is refused, and so is what is too small to be anything but zero.
 */
final class LongDouble {
  private static final int BITS = 64;
  private static final int DECIMALS = 17;
  private static final int MAX_CHARS = 5 * 1024;
  private static final int MAX_EXPONENT = 16_384;
  private static final int MIN_EXPONENT = -16_445;
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE]([+-]?\\d+))?");
  private static final Pattern HEX =
      Pattern.compile("([+-]?)0[xX]([0-9a-fA-F]*)\\.?([0-9a-fA-F]*)(?:[pP]([+-]?\\d+))?");
  private static final Pattern INFINITE =
      Pattern.compile("[+-]?(?:inf|infinity)", Pattern.CASE_INSENSITIVE);

  private LongDouble() {}

  /** Returns the sum of two texts, as text. */
  static byte[] sum(byte[] a, byte[] b) {
    BigDecimal left = parse(a);
    BigDecimal right = parse(b);
    if (left == null || right == null) {
      throw new CommandException("ERR increment would produce NaN or Infinity");
    }
    BigDecimal sum = rounded(left.add(right));
    if (isTooLarge(sum)) {
      throw new CommandException("ERR increment would produce NaN or Infinity");
    }
    return text(sum).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the number, or null if it is infinite. */
  private static @Nullable BigDecimal parse(byte[] word) {
    String text = new String(word, StandardCharsets.ISO_8859_1);
    if (text.isEmpty() || text.length() >= MAX_CHARS) {
      throw new CommandException(CommandException.NOT_A_FLOAT);
    }
    if (INFINITE.matcher(text).matches()) {
      return null;
    }
    BigDecimal exact = exact(text);
    BigDecimal value = rounded(exact);
    boolean vanished = exact.signum() != 0 && isTooSmall(value);
    if (vanished || isTooLarge(value)) {
      throw new CommandException(CommandException.NOT_A_FLOAT);
    }
    return value;
  }

  private static BigDecimal exact(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      checkExponent(decimal.group(1));
      return new BigDecimal(text.endsWith(".") ? text.substring(0, text.length() - 1) : text);
    }
    Matcher hex = HEX.matcher(text);
    if (hex.matches() && hex.group(2).length() + hex.group(3).length() > 0) {
      checkExponent(hex.group(4));
      int power = hex.group(4) == null ? 0 : Integer.parseInt(hex.group(4));
      var digits = new BigInteger(hex.group(2) + hex.group(3), 16);
      var value = scaled(new BigDecimal(digits), power - 4 * hex.group(3).length());
      return hex.group(1).equals("-") ? value.negate() : value;
    }
    throw new CommandException(CommandException.NOT_A_FLOAT);
  }

  /** Refuses exponents that only an overflow or zero could come of, before they cost anything. */
  private static void checkExponent(@Nullable String exponent) {
    if (exponent != null && exponent.length() > 6) {
      throw new CommandException(CommandException.NOT_A_FLOAT);
    }
  }

  private static BigDecimal scaled(BigDecimal value, int power) {
    BigDecimal two = BigDecimal.valueOf(2);
    return power >= 0
        ? value.multiply(two.pow(power))
        : value.multiply(new BigDecimal("0.5").pow(-power));
  }

  /** Returns the value with 64 significant bits. */
  private static BigDecimal rounded(BigDecimal value) {
    if (value.signum() == 0) {
      return BigDecimal.ZERO;
    }
    if (isTooLarge(value) || isTooSmall(value)) {
      return value;
    }
    int shift = BITS - 1 - exponent(value);
    BigInteger mantissa = scaled(value, shift).setScale(0, RoundingMode.HALF_EVEN).unscaledValue();
    return scaled(new BigDecimal(mantissa), -shift);
  }

  /** Returns e such that 2^e is at most the value and 2^(e+1) is more. */
  private static int exponent(BigDecimal value) {
    BigDecimal size = value.abs();
    int decimal = size.precision() - size.scale() - 1;
    int guess = (int) Math.floor(decimal * 3.321928094887362) - 1;
    BigDecimal power = scaled(BigDecimal.ONE, guess);
    while (power.add(power).compareTo(size) <= 0) {
      power = power.add(power);
      guess++;
    }
    return guess;
  }

  private static boolean isTooLarge(BigDecimal value) {
    return value.signum() != 0
        && value.precision() - value.scale() > 4900
        && value.abs().compareTo(scaled(BigDecimal.ONE, MAX_EXPONENT)) >= 0;
  }

  private static boolean isTooSmall(BigDecimal value) {
    return value.signum() != 0
        && value.precision() - value.scale() < -4900
        && value.abs().compareTo(scaled(BigDecimal.ONE, MIN_EXPONENT)) < 0;
  }

  private static String text(BigDecimal value) {
    BigDecimal shown =
        value.round(MathContext.UNLIMITED).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    if (shown.signum() == 0) {
      return "0";
    }
    return shown.stripTrailingZeros().toPlainString();
  }
}
