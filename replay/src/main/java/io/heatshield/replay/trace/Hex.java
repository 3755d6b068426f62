package io.heatshield.replay.trace;

/** Hexadecimal digits in bytes. */
final class Hex {
  private Hex() {}

  /** Returns the number that so many digits are, or -1 if one of them is none. */
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
