package io.heatshield.hash;

/** Encodes text as UTF-8, one code point at a time, without allocating memory. */
public final class Utf8 {
  private Utf8() {}

  /**
   * Returns the code point at an index. Returns {@code ?} for an unpaired surrogate, as {@link
   * String#getBytes(java.nio.charset.Charset)} encodes it.
   */
  public static int pointAt(CharSequence text, int index) {
    int point = Character.codePointAt(text, index);
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '?' : point;
  }

  /** Returns the number of bytes of a code point, 1 to 4. */
  public static int length(int point) {
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }

  /** Returns the bytes of a code point as a number, the first byte in the lowest bits. */
  public static long encode(int point) {
    return switch (length(point)) {
      case 1 -> point;
      case 2 -> 0xc0 | point >> 6 | continuation(point) << 8;
      case 3 -> 0xe0 | point >> 12 | continuation(point >> 6) << 8 | continuation(point) << 16;
      default ->
          0xf0
              | point >> 18
              | continuation(point >> 12) << 8
              | continuation(point >> 6) << 16
              | continuation(point) << 24;
    };
  }

  private static long continuation(int bits) {
    return 0x80 | (bits & 0x3f);
  }
}
