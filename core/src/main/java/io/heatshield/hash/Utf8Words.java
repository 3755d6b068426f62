package io.heatshield.hash;

/** Reads the UTF-8 of a text as little-endian words of eight bytes, the last padded with zeros. */
final class Utf8Words {
  private static final int ASCII_LIMIT = 0x80;

  private final CharSequence text;
  private int at;
  private int length;

  /** The bytes of the last code point that belong to the next word. */
  private long carry;

  private int carryBits;

  Utf8Words(CharSequence text) {
    this.text = text;
  }

  boolean hasNext() {
    return at < text.length() || carryBits > 0;
  }

  /** Returns the number of bytes that have been read. */
  int length() {
    return length;
  }

  /** Returns the next word; 0 after the end. */
  long next() {
    if (carryBits == 0 && at + Long.BYTES <= text.length() && text instanceof String string) {
      long word = ascii(string, at);
      if (word >= 0) {
        at += Long.BYTES;
        length += Long.BYTES;
        return word;
      }
    }
    return encode();
  }

  /** Returns eight characters as a word, or a negative number if one of them is not ASCII. */
  private static long ascii(String text, int from) {
    long c0 = text.charAt(from);
    long c1 = text.charAt(from + 1);
    long c2 = text.charAt(from + 2);
    long c3 = text.charAt(from + 3);
    long c4 = text.charAt(from + 4);
    long c5 = text.charAt(from + 5);
    long c6 = text.charAt(from + 6);
    long c7 = text.charAt(from + 7);
    if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= ASCII_LIMIT) {
      return -1;
    }
    return c0 | c1 << 8 | c2 << 16 | c3 << 24 | c4 << 32 | c5 << 40 | c6 << 48 | c7 << 56;
  }

  private long encode() {
    long word = carry;
    int bits = carryBits;
    carry = 0;
    carryBits = 0;
    while (bits < Long.SIZE && at < text.length()) {
      int codePoint = Utf8.pointAt(text, at);
      int codePointBits = Byte.SIZE * Utf8.length(codePoint);
      at += Character.charCount(codePoint);
      word |= Utf8.encode(codePoint) << bits;
      bits += codePointBits;
      if (bits > Long.SIZE) {
        carryBits = bits - Long.SIZE;
        carry = Utf8.encode(codePoint) >>> (codePointBits - carryBits);
        bits = Long.SIZE;
      }
    }
    length += bits / Byte.SIZE;
    return word;
  }
}
