package io.heatshield.filter;

import org.jspecify.annotations.Nullable;

/**
 * The shape of one table, and where a hash belongs in it.
 *
 * @param bits width of a fingerprint
 * @param pairBits how many leading bits of a fingerprint decide the other bucket
 * @param bucketSize slots of a bucket
 * @param buckets number of buckets, even
 */
record Geometry(int bits, int pairBits, int bucketSize, long buckets) {
  /*
   * Buckets stand in pairs, a left one (even) and a right one (odd), and every key has one bucket on either side: its
   * two are never the same, and a reader knows without asking on which side of its pair each of them lies.
   *
   * The pair of a key's left bucket comes from the high bits of its hash, by multiplication instead of a remainder, so
   * that any number of pairs is as good as a power of two; of few, from 32 bits alone, which takes fewer instructions
   * and favours none by more than one part in a thousand. The pair of the right one is (offset - pair) mod pairs, which
   * is its own inverse for any number of pairs. A fingerprint is the leading bits of the hash's low half; 0 stands for
   * an empty slot, so a fingerprint of 0 becomes 1.
   *
   * Offsets are below 2^31 however many buckets there are, so that each fits into a half word (see Lookup).
   *
   * The offset depends on the leading pairBits of the fingerprint alone. Therefore a fingerprint that loses its last bit
   * still belongs to the same two buckets: a table can be made smaller without its keys (see CuckooTable.shrunk), and
   * the offsets fit into a small table of their own. 255 offsets are enough because their sums and differences reach
   * everywhere; buckets of one or two slots have fewer ways out and get 4,095. Measured in CuckooTableTest.
   */
  private static final int MOST_PAIR_BITS = 12;

  static final int USUAL_PAIR_BITS = 8;

  private static final long FEW_PAIRS = PackedTable.SEGMENT_BUCKETS / 2;
  private static final long MOST_OFFSETS = 1L << 31;

  private static final long ODD_1 = 0x9e3779b97f4a7c15L;
  private static final long ODD_2 = 0xd6e8feb86659fd93L;

  static Geometry of(int bits, int bucketSize, long buckets) {
    int most = bucketSize <= 2 ? MOST_PAIR_BITS : USUAL_PAIR_BITS;
    return new Geometry(bits, Math.min(bits, most), bucketSize, buckets);
  }

  /**
   * Returns the fault of these numbers, as text that begins with a name, or null if there is none.
   */
  static @Nullable String fault(long bits, long pairBits, long bucketSize, long buckets) {
    if (bits < Sizing.MIN_BITS || bits > Sizing.MAX_BITS) {
      return "bits must be 4 to 32: " + bits;
    }
    if (pairBits < Sizing.MIN_BITS || pairBits > Math.min(bits, MOST_PAIR_BITS)) {
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

  /** Returns the pair of a hash's left bucket. */
  static long pair(long hash, long pairs) {
    return pairs <= FEW_PAIRS ? pairOfFew(hash, pairs) : Math.multiplyHigh(hash >>> 1, 2 * pairs);
  }

  /** Returns the pair of a hash's left bucket in a table of one segment. */
  static int pairOfFew(long hash, long pairs) {
    return (int) (((hash >>> 32) * pairs) >>> 32);
  }

  /** Returns the shape with fingerprints of fewer bits, for the same keys in the same buckets. */
  Geometry narrowed(int fewerBits) {
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

  /** Returns the offset for each value of a fingerprint's leading bits; 0 counts as 1. */
  long[] offsets() {
    long[] offsets = new long[1 << pairBits];
    for (int lead = 0; lead < offsets.length; lead++) {
      long mixed = Math.max(1, lead) * ODD_1;
      mixed = (mixed ^ (mixed >>> 32)) * ODD_2;
      mixed ^= mixed >>> 29;
      offsets[lead] = Math.multiplyHigh(mixed >>> 1, 2 * Math.min(pairs(), MOST_OFFSETS));
    }
    return offsets;
  }
}
