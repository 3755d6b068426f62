package io.heatshield.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** The fast keyed hash: sums of keyed products, folded by one more product. */
final class FastHash implements KeyHash {
  /*
   * The key is read as little-endian words, the last one padded with zeros. Of each block of 32
   * bytes, words a b c d:
   *
   *   (lo, hi) = (a + s0) * (b + s1)  +  (c + s2) * (d + s3)
   *                signed 128-bit products, halves added without carry
   *   end:   hash = fold((lo + length) ^ s4, hi ^ s5)              fold(x, y) = low ^ high of x * y
   *   else:  (lo, hi) = (fold(lo ^ s6, hi ^ s7), 0), to which the next block's products are added
   *
   * The second product is left out when the block ends within its first half. s0 to s7 are derived
   * from the secret and nothing else is mixed in: there is no public constant for an attacker to
   * cancel.
   *
   * A product loses one factor where the other is zero, which has broken functions whose lanes are
   * known. Here the lanes are secret and the bound counts that case: sums of keyed products are NH
   * (Black, Halevi, Krawczyk, Krovetz, Rogaway, "UMAC", 1999), for which two different messages
   * give any one chosen difference under at most 2^-64 of all lanes. That is for unsigned words;
   * signed ones spare six instructions a product on JDK 17. Let a and a' differ, and let all lanes
   * be fixed but b's: over the 2^64 lanes the signed b + s1 and b' + s1 keep one distance, but for
   * a part in which one of them has wrapped. Within either part the difference of the products is
   * (a + s0) - (a' + s0), which is not zero and below 2^64, times the signed word, plus a constant:
   * no two lanes give the same. So two lanes at most, 2^-63; and leaving out the carry makes that
   * two differences, 2^-62. Two keys that pad to the same words differ in the added length. A
   * left-out product must equal one value, 2^-63 again (a factor that is zero). What is not proved
   * is the fold of 128 to 64 bits: it is keyed too, a chosen input meets its zero with 2^-63, and
   * FastHashStatisticsTest measures avalanche, bias and collisions of the whole.
   *
   * Hashes are stored: FastHashTest holds vectors that must not change.
   */
  private static final VarHandle ARRAY =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BUFFER =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Told apart by the fingerprint; 0 had unsigned products. */
  private static final int VERSION = 1;

  private static final int PAIR = 16;
  private static final int BLOCK = 32;
  private static final long NOT_ASCII = -1;

  private final long s0;
  private final long s1;
  private final long s2;
  private final long s3;
  private final long s4;
  private final long s5;
  private final long s6;
  private final long s7;
  private final long fingerprint;

  FastHash(HashSecret secret) {
    this(secret, HashSecret.Purpose.FAST_LANE, HashSecret.Purpose.FAST_FINGERPRINT);
  }

  FastHash(HashSecret secret, HashSecret.Purpose lane, HashSecret.Purpose print) {
    s0 = secret.derive(lane, 0);
    s1 = secret.derive(lane, 1);
    s2 = secret.derive(lane, 2);
    s3 = secret.derive(lane, 3);
    s4 = secret.derive(lane, 4);
    s5 = secret.derive(lane, 5);
    s6 = secret.derive(lane, 6);
    s7 = secret.derive(lane, 7);
    fingerprint = secret.derive(print, VERSION);
  }

  @Override
  public long hash(byte[] key, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, key.length);
    if (length > PAIR && length <= BLOCK) {
      return block(key, offset, length);
    }
    long lo = 0;
    long hi = 0;
    for (int at = 0; at < length; at += PAIR) {
      boolean first = (at & PAIR) == 0;
      if (first && at > 0) {
        lo = fold(lo ^ s6, hi ^ s7);
        hi = 0;
      }
      long x = word(key, offset, length, at) + (first ? s0 : s2);
      long y = word(key, offset, length, at + 8) + (first ? s1 : s3);
      lo += x * y;
      hi += Math.multiplyHigh(x, y);
    }
    return end(lo, hi, length);
  }

  @Override
  public long hash(ByteBuffer key) {
    int length = key.remaining();
    if (key.hasArray()) {
      return hash(key.array(), key.arrayOffset() + key.position(), length);
    }
    int offset = key.position();
    long lo = 0;
    long hi = 0;
    for (int at = 0; at < length; at += PAIR) {
      boolean first = (at & PAIR) == 0;
      if (first && at > 0) {
        lo = fold(lo ^ s6, hi ^ s7);
        hi = 0;
      }
      long x = word(key, offset, length, at) + (first ? s0 : s2);
      long y = word(key, offset, length, at + 8) + (first ? s1 : s3);
      lo += x * y;
      hi += Math.multiplyHigh(x, y);
    }
    return end(lo, hi, length);
  }

  @Override
  public long hash(CharSequence key) {
    return key instanceof String text ? ascii(text) : encoded(key);
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  /**
   * Returns the hash of one block, as most keys are. Without the loop it takes half of the time,
   * which is a quarter of a lookup in a filter.
   */
  private long block(byte[] key, int offset, int length) {
    long last = (long) ARRAY.get(key, offset + length - Long.BYTES);
    boolean three = length <= BLOCK - Long.BYTES;
    long c = three ? last >>> (Byte.SIZE * (24 - length)) : (long) ARRAY.get(key, offset + PAIR);
    long d = three ? 0 : last >>> (Byte.SIZE * (BLOCK - length));
    long x = (long) ARRAY.get(key, offset) + s0;
    long y = (long) ARRAY.get(key, offset + 8) + s1;
    long z = c + s2;
    long w = d + s3;
    return end(x * y + z * w, Math.multiplyHigh(x, y) + Math.multiplyHigh(z, w), length);
  }

  /** Returns the hash of a text, which is taken for ASCII until a character is not. */
  private long ascii(String text) {
    int length = text.length();
    long lo = 0;
    long hi = 0;
    for (int at = 0; at < length; at += PAIR) {
      boolean first = (at & PAIR) == 0;
      if (first && at > 0) {
        lo = fold(lo ^ s6, hi ^ s7);
        hi = 0;
      }
      long a = word(text, length, at);
      long b = word(text, length, at + 8);
      if ((a | b) < 0) {
        return encoded(text);
      }
      long x = a + (first ? s0 : s2);
      long y = b + (first ? s1 : s3);
      lo += x * y;
      hi += Math.multiplyHigh(x, y);
    }
    return end(lo, hi, length);
  }

  private long end(long lo, long hi, int length) {
    return fold(lo + length ^ s4, hi ^ s5);
  }

  /** Returns the hash of any text, encoded as it goes. */
  private long encoded(CharSequence key) {
    int chars = key.length();
    int at = 0;
    int length = 0;
    long lo = 0;
    long hi = 0;
    long before = 0;
    long word = 0;
    int bits = 0;
    for (int words = 0; at < chars || bits > 0; words++) {
      long left = 0;
      while (bits < Long.SIZE && at < chars) {
        long packed = Utf8.pack(key, at);
        at += Utf8.charCount(packed);
        length += Utf8.byteCount(packed);
        word |= Utf8.bytes(packed) << bits;
        bits += Byte.SIZE * Utf8.byteCount(packed);
        if (bits > Long.SIZE) {
          left = Utf8.bytes(packed) >>> (Byte.SIZE * Utf8.byteCount(packed) - (bits - Long.SIZE));
        }
      }
      if ((words & 3) == 0 && words > 0) {
        lo = fold(lo ^ s6, hi ^ s7);
        hi = 0;
      }
      bits = Math.max(0, bits - Long.SIZE);
      boolean last = at >= chars && bits == 0;
      boolean even = (words & 1) == 0;
      if (!even || last) {
        boolean first = (words & 2) == 0;
        long x = (even ? word : before) + (first ? s0 : s2);
        long y = (even ? 0 : word) + (first ? s1 : s3);
        lo += x * y;
        hi += Math.multiplyHigh(x, y);
      }
      before = word;
      word = left;
    }
    return end(lo, hi, length);
  }

  /** Returns the word that begins {@code at} bytes into the key, padded; 0 past the end. */
  private static long word(byte[] key, int offset, int length, int at) {
    if (at >= length) {
      return 0;
    }
    if (length >= Long.BYTES) {
      int from = Math.min(at, length - Long.BYTES);
      return (long) ARRAY.get(key, offset + from) >>> (Byte.SIZE * (at - from));
    }
    long word = 0;
    for (int i = length - 1; i >= 0; i--) {
      word = word << 8 | (key[offset + i] & 0xffL);
    }
    return word;
  }

  private static long word(ByteBuffer key, int offset, int length, int at) {
    if (at >= length) {
      return 0;
    }
    if (length >= Long.BYTES) {
      int from = Math.min(at, length - Long.BYTES);
      return (long) BUFFER.get(key, offset + from) >>> (Byte.SIZE * (at - from));
    }
    long word = 0;
    for (int i = length - 1; i >= 0; i--) {
      word = word << 8 | (key.get(offset + i) & 0xffL);
    }
    return word;
  }

  /** Returns the word that begins at a character of an ASCII text, or a negative number. */
  private static long word(String text, int length, int at) {
    if (at + Long.BYTES <= length) {
      return ascii(text, at);
    }
    long word = 0;
    int characters = 0;
    for (int i = length - 1; i >= at; i--) {
      char c = text.charAt(i);
      characters |= c;
      word = word << Byte.SIZE | c;
    }
    return characters < 0x80 ? word : NOT_ASCII;
  }

  /** Reads eight characters at once, which is most of what the hash of a text costs. */
  private static long ascii(String text, int from) {
    long c0 = text.charAt(from);
    long c1 = text.charAt(from + 1);
    long c2 = text.charAt(from + 2);
    long c3 = text.charAt(from + 3);
    long c4 = text.charAt(from + 4);
    long c5 = text.charAt(from + 5);
    long c6 = text.charAt(from + 6);
    long c7 = text.charAt(from + 7);
    if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= 0x80) {
      return NOT_ASCII;
    }
    return c0 | c1 << 8 | c2 << 16 | c3 << 24 | c4 << 32 | c5 << 40 | c6 << 48 | c7 << 56;
  }

  private static long fold(long x, long y) {
    return x * y ^ Math.multiplyHigh(x, y);
  }
}
