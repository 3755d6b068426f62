package io.heatshield.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/** The fast keyed hash function: a sum of keyed products, folded to 64 bits by another product. */
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
   * If a block ends within its first half, its second product is omitted. The lanes s0 to s7 are
   * derived from the secret. The function uses no public constants, which an attacker could cancel.
   *
   * Collision probability. If one factor of a product is zero, the other has no effect. Functions
   * with known lanes have been broken this way. Here the lanes are secret, and the bound below
   * includes this case.
   *
   * A sum of keyed products is the function NH (Black, Halevi, Krawczyk, Krovetz, Rogaway, "UMAC",
   * 1999). For unsigned words, the sums of two different messages have a given difference with a
   * probability of at most 2^-64 over random lanes. This function uses signed words, which saves
   * six instructions per product on JDK 17. For signed words the bound is 2^-63:
   *
   * - Let a and a' differ, and fix all lanes except s1. While s1 takes its 2^64 values, the
   *   difference between the signed words b + s1 and b' + s1 changes only where one of them
   *   overflows, so it has two values, each for one part of the lanes.
   * - Within a part, the difference of the products is ((a + s0) - (a' + s0)) times a signed word,
   *   plus a constant. The first factor is not zero and less than 2^64, so different lanes give
   *   different results. At most one lane of each part collides, two in all.
   *
   * Omitting the carry between both halves allows two differences instead of one: 2^-62. Two keys
   * that are padded to the same words differ in the length that is added. A key with an omitted
   * product collides with one that has it only if that product has one certain value: again 2^-63.
   *
   * The fold from 128 to 64 bits is not covered by a proof. It is keyed too, and a chosen input
   * makes one of its factors zero with a probability of 2^-63. FastHashStatisticsTest measures
   * avalanche, bias and collisions of the whole function.
   *
   * Hashes are stored, so the function must not change; FastHashTest contains vectors.
   */

  /**
   * The version of the function, which is part of the fingerprint. Version 0 used unsigned words.
   */
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

  FastHash(
      HashSecret secret, HashSecret.Purpose lanePurpose, HashSecret.Purpose fingerprintPurpose) {
    s0 = secret.derive(lanePurpose, 0);
    s1 = secret.derive(lanePurpose, 1);
    s2 = secret.derive(lanePurpose, 2);
    s3 = secret.derive(lanePurpose, 3);
    s4 = secret.derive(lanePurpose, 4);
    s5 = secret.derive(lanePurpose, 5);
    s6 = secret.derive(lanePurpose, 6);
    s7 = secret.derive(lanePurpose, 7);
    fingerprint = secret.derive(fingerprintPurpose, VERSION);
  }

  @Override
  public long hash(byte[] key, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, key.length);
    return length > PAIR && length <= BLOCK
        ? hashOneBlock(key, offset, length)
        : hashBlocks(key, offset, length);
  }

  @Override
  public long hash(ByteBuffer key) {
    return key.hasArray()
        ? hash(key.array(), key.arrayOffset() + key.position(), key.remaining())
        : hashBlocks(key, key.position(), key.remaining());
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
    return finish(lo, hi, words.length());
  }

  @Override
  public long hash(long key) {
    var words = new DecimalWords(key);
    long x = words.first() + s0;
    long y = words.second() + s1;
    long lo = x * y;
    long hi = Math.multiplyHigh(x, y);
    if (words.length() > PAIR) {
      long z = words.third() + s2;
      lo += z * s3;
      hi += Math.multiplyHigh(z, s3);
    }
    return finish(lo, hi, words.length());
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  /** Returns the hash of a key of 17 to 32 bytes; the general loop takes twice as long. */
  private long hashOneBlock(byte[] key, int offset, int length) {
    long last = Words.at(key, offset + length - Long.BYTES);
    boolean threeWords = length <= BLOCK - Long.BYTES;
    long c = threeWords ? last >>> (Byte.SIZE * (24 - length)) : Words.at(key, offset + PAIR);
    long d = threeWords ? 0 : last >>> (Byte.SIZE * (BLOCK - length));
    long x = Words.at(key, offset) + s0;
    long y = Words.at(key, offset + 8) + s1;
    long z = c + s2;
    long w = d + s3;
    return finish(x * y + z * w, Math.multiplyHigh(x, y) + Math.multiplyHigh(z, w), length);
  }

  /** Returns the hash of a key in a {@code byte[]} or a {@link ByteBuffer}. */
  private long hashBlocks(Object key, int offset, int length) {
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
    return finish(lo, hi, length);
  }

  private long finish(long lo, long hi, int length) {
    return fold(lo + length ^ s4, hi ^ s5);
  }

  private static long fold(long x, long y) {
    return x * y ^ Math.multiplyHigh(x, y);
  }
}
