package io.heatshield.hash;

/** The UTF-8 of one character at a time, packed into a number so that nothing is allocated. */
final class Utf8 {
  private Utf8() {}

  /**
   * Returns the bytes of the character at {@code i}, the first in the lowest place, with {@link
   * #byteCount} and {@link #charCount} beside them. An unpaired surrogate is {@code ?}.
   */
  static long pack(CharSequence text, int i) {
    char c = text.charAt(i);
    if (c < 0x80) {
      return packed(c, 1, 1);
    }
    if (c < 0x800) {
      return packed(0xc0 | c >> 6 | (0x80 | (c & 0x3f)) << 8, 2, 1);
    }
    if (!Character.isSurrogate(c)) {
      return packed(
          0xe0 | c >> 12 | (0x80 | (c >> 6 & 0x3f)) << 8 | (0x80 | (c & 0x3f)) << 16, 3, 1);
    }
    if (Character.isHighSurrogate(c)
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1))) {
      int point = Character.toCodePoint(c, text.charAt(i + 1));
      return packed(
          0xf0
              | point >> 18
              | (0x80 | (point >> 12 & 0x3f)) << 8
              | (0x80 | (point >> 6 & 0x3f)) << 16
              | (0x80 | (point & 0x3f)) << 24,
          4,
          2);
    }
    return packed('?', 1, 1);
  }

  /** Returns the bytes alone. */
  static long bytes(long packed) {
    return packed & 0xffff_ffffL;
  }

  /** Returns how many bytes there are, 1 to 4. */
  static int byteCount(long packed) {
    return (int) (packed >>> 32) & 7;
  }

  /** Returns how many {@code char} they stand for, 1 or 2. */
  static int charCount(long packed) {
    return (int) (packed >>> 40);
  }

  private static long packed(int bytes, int byteCount, int charCount) {
    return (bytes & 0xffff_ffffL) | (long) byteCount << 32 | (long) charCount << 40;
  }
}
