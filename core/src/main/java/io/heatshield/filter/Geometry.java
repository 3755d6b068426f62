package io.heatshield.filter;

import org.jspecify.annotations.Nullable;

/**
 * The dimensions of one table, and the mapping of hashes to its buckets.
 *
 * @param bits bits per fingerprint
 * @param pairBits length of a fingerprint's prefix, which determines the distance of its buckets
 * @param bucketSize slots per bucket
 * @param buckets number of buckets, even
 */
record Geometry(int bits, int pairBits, int bucketSize, long buckets) {
  /*
   * Buckets form pairs of a left bucket (even) and a right bucket (odd). Every key has one left and
   * one right bucket, so its two buckets always differ, and a reader knows without a test on which
   * side of its pair each of them is.
   *
   * The pair of the left bucket is computed from the high bits of the hash by multiplication, so
   * any number of pairs works as well as a power of two. In a table of one segment 32 bits of the
   * hash are enough: this takes fewer instructions, and the probabilities of two pairs differ by
   * less than one part in a thousand. The pair of the right bucket is (offset - pair) mod pairs,
   * which is its own inverse for any number of pairs.
   *
   * A fingerprint consists of the leading bits of the lower half of the hash. A slot of 0 is empty,
   * so the fingerprint 0 is replaced by 1.
   *
   * Offsets are below 2^31 for any number of buckets, so that each fits into half a word (see
   * Lookup).
   *
   * The offset depends only on the prefix of the fingerprint, its leading pairBits bits. So a
   * fingerprint without its last bit still belongs to the same two buckets: fingerprints can be
   * shortened without the keys (see CuckooTable.withBits), and the offsets fit into a small array.
   * 255 offsets are enough because chains of moves add and subtract them, and so reach every pair.
   * Buckets of one or two slots offer fewer chains and use 4,095 offsets. CuckooTableTest measures
   * the load that this permits.
   */
  private static final int MAX_PAIR_BITS = 12;

  static final int DEFAULT_PAIR_BITS = 8;

  private static final long MAX_SMALL_PAIRS = PackedTable.SEGMENT_BUCKETS / 2;
  private static final long MAX_OFFSETS = 1L << 31;

  private static final long ODD_1 = 0x9e3779b97f4a7c15L;
  private static final long ODD_2 = 0xd6e8feb86659fd93L;

  static Geometry of(int bits, int bucketSize, long buckets) {
    int longest = bucketSize <= 2 ? MAX_PAIR_BITS : DEFAULT_PAIR_BITS;
    return new Geometry(bits, Math.min(bits, longest), bucketSize, buckets);
  }

  /** Returns why these dimensions are invalid, or null if they are valid. */
  static @Nullable String fault(long bits, long pairBits, long bucketSize, long buckets) {
    if (bits < Sizing.MIN_BITS || bits > Sizing.MAX_BITS) {
      return "bits must be 4 to 32: " + bits;
    }
    if (pairBits < Sizing.MIN_BITS || pairBits > Math.min(bits, MAX_PAIR_BITS)) {
      return "pair bits must be 4 to the lesser of 12 and the bits: " + pairBits;
    }
    if (bucketSize < 1 || bucketSize > Sizing.MAX_BUCKET_SIZE) {
      return "bucket size must be 1 to 8: " + bucketSize;
    }
    if (buckets < 2 || buckets > 2 * Sizing.MAX_ITEMS || (buckets & 1) != 0) {
      return "buckets must be an even number of 2 to " + 2 * Sizing.MAX_ITEMS + ": " + buckets;
    }
    return null;
  }

  /** Returns the pair that contains the left bucket of a hash. */
  static long pair(long hash, long pairs) {
    return pairs <= MAX_SMALL_PAIRS
        ? pairOfSmallTable(hash, pairs)
        : Math.multiplyHigh(hash >>> 1, 2 * pairs);
  }

  /** Returns the pair that contains the left bucket of a hash, in a table of one segment. */
  static int pairOfSmallTable(long hash, long pairs) {
    return (int) (((hash >>> 32) * pairs) >>> 32);
  }

  /** Returns these dimensions with shorter fingerprints; every key keeps its two buckets. */
  Geometry withBits(int fewerBits) {
    return new Geometry(fewerBits, pairBits, bucketSize, buckets);
  }

  int bucketBits() {
    return bits * bucketSize;
  }

  long pairs() {
    return buckets / 2;
  }

  long slots() {
    return buckets * bucketSize;
  }

  long capacity() {
    return Sizing.capacity(buckets, bucketSize, bits);
  }

  double rate(double load) {
    return Sizing.rate(bits, bucketSize, load);
  }

  /** Returns the offset of each fingerprint prefix; the prefix 0 has that of 1. */
  long[] offsets() {
    long[] offsets = new long[1 << pairBits];
    for (int prefix = 0; prefix < offsets.length; prefix++) {
      long mixed = Math.max(1, prefix) * ODD_1;
      mixed = (mixed ^ (mixed >>> 32)) * ODD_2;
      mixed ^= mixed >>> 29;
      offsets[prefix] = Math.multiplyHigh(mixed >>> 1, 2 * Math.min(pairs(), MAX_OFFSETS));
    }
    return offsets;
  }
}
