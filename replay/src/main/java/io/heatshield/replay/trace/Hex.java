package io.heatshield.replay.trace;

/** Parses hexadecimal digits. */
final class Hex {
  private Hex() {}

  /** Returns the value of the digits, or -1 if one of them is not hexadecimal. */
  static int number(byte[] text, int from, int digits) {
    int number = 0;
    for (int i = from; i < from + digits; i++) {
      int digit = Character.digit(text[i], 16);
      if (digit < 0) {
        return -1;
      }
      number = number << 4 | digit;
    }
    return number;
  }
}
