package io.heatshield.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/** The fast keyed hash: sums of keyed products, folded by one more product. */
final class FastHash implements KeyHash {
  /*
   * The key is read as little-endian words, the last one padded with zeros. For each block of 32
   * bytes with the words a, b, c and d:
   *
   *   (lo, hi) += (a + s0) * (b + s1) + (c + s2) * (d + s3)
   *               signed 128-bit products; both halves are added without carry
   *   if another block follows: (lo, hi) = (fold(lo ^ s6, hi ^ s7), 0)
   *   at the end: hash = fold((lo + length) ^ s4, hi ^ s5)
   *   fold(x, y) = low half of x * y ^ high half of x * y
   *
   * The second product is left out if the block ends within its first half. The lanes s0 to s7 are
   * derived from the secret, and nothing else is mixed in: there is no public constant that an
   * attacker could cancel.
   *
   * Collisions. A product loses one factor where the other is zero, which has broken functions
   * with known lanes. Here the lanes are secret, and the bound includes that case. Sums of keyed
   * products are NH (Black, Halevi, Krawczyk, Krovetz, Rogaway, "UMAC", 1999): two different
   * messages have any one chosen difference under at most 2^-64 of all lanes. That holds for
   * unsigned words; signed words save six instructions per product on JDK 17. For signed words,
   * let a and a' differ, and fix all lanes except that of b. Over its 2^64 values, the signed
   * b + s1 and b' + s1 keep one distance, except where one of them has wrapped. Within either part
   * the difference of the products is (a + s0) - (a' + s0), which is not zero and below 2^64,
   * times the signed word, plus a constant: no two lanes give the same. So at most two lanes
   * collide, 2^-63, and leaving out the carry allows two differences, 2^-62. Two keys that pad to
   * the same words differ in the added length. A left-out product must equal one value, again
   * 2^-63 (a factor that is zero). The fold of 128 to 64 bits is not proved. It is keyed too, a
   * chosen input meets its zero with 2^-63, and FastHashStatisticsTest measures avalanche, bias
   * and collisions of the whole function.
   *
   * Hashes are stored: FastHashTest holds vectors that must not change.
   */

  /** Part of the fingerprint; version 0 had unsigned products. */
  private static final int VERSION = 1;

  private static final int PAIR = 16;
  private static final int BLOCK = 32;

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
    return length > PAIR && length <= BLOCK
        ? block(key, offset, length)
        : blocks(key, offset, length);
  }

  @Override
  public long hash(ByteBuffer key) {
    return key.hasArray()
        ? hash(key.array(), key.arrayOffset() + key.position(), key.remaining())
        : blocks(key, key.position(), key.remaining());
  }

  @Override
  public long hash(CharSequence key) {
    var words = new Utf8Words(key);
    long lo = 0;
    long hi = 0;
    for (boolean first = true, begun = false; words.hasNext(); first = !first, begun = true) {
      if (first && begun) {
        lo = fold(lo ^ s6, hi ^ s7);
        hi = 0;
      }
      long x = words.next() + (first ? s0 : s2);
      long y = words.next() + (first ? s1 : s3);
      lo += x * y;
      hi += Math.multiplyHigh(x, y);
    }
    return end(lo, hi, words.length());
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  /** Returns the hash of one block, without the loop, which doubles the time for such a key. */
  private long block(byte[] key, int offset, int length) {
    long last = Words.at(key, offset + length - Long.BYTES);
    boolean three = length <= BLOCK - Long.BYTES;
    long c = three ? last >>> (Byte.SIZE * (24 - length)) : Words.at(key, offset + PAIR);
    long d = three ? 0 : last >>> (Byte.SIZE * (BLOCK - length));
    long x = Words.at(key, offset) + s0;
    long y = Words.at(key, offset + 8) + s1;
    long z = c + s2;
    long w = d + s3;
    return end(x * y + z * w, Math.multiplyHigh(x, y) + Math.multiplyHigh(z, w), length);
  }

  /** Returns the hash of a key in a {@code byte[]} or a {@link ByteBuffer}. */
  private long blocks(Object key, int offset, int length) {
    long lo = 0;
    long hi = 0;
    for (int at = 0; at < length; at += PAIR) {
      boolean first = (at & PAIR) == 0;
      if (first && at > 0) {
        lo = fold(lo ^ s6, hi ^ s7);
        hi = 0;
      }
      long x = Words.padded(key, offset, length, at) + (first ? s0 : s2);
      long y = Words.padded(key, offset, length, at + 8) + (first ? s1 : s3);
      lo += x * y;
      hi += Math.multiplyHigh(x, y);
    }
    return end(lo, hi, length);
  }

  private long end(long lo, long hi, int length) {
    return fold(lo + length ^ s4, hi ^ s5);
  }

  private static long fold(long x, long y) {
    return x * y ^ Math.multiplyHigh(x, y);
  }
}
