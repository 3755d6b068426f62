package io.heatshield.filter;

import org.jspecify.annotations.Nullable;

/**
 * The dimensions of one table, what follows from them (capacity, memory, false positive rate), and
 * the mapping of hashes to its buckets.
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
  /** The minimum and maximum bits per fingerprint. */
  static final int MIN_BITS = 4;

  static final int MAX_BITS = 32;
  static final int MAX_BUCKET_SIZE = 8;

  /** The maximum number of expected items. */
  static final long MAX_ITEMS = 1L << 42;

  /**
   * The maximum load in percent, by bucket size. Cuckoo tables with two buckets of 1, 2, 3 and 4
   * slots per key are known to reach loads of 50, 89.7, 95.9 and 98.0 percent. These limits are
   * lower, so that searches for an empty slot remain short.
   */
  private static final int[] LOAD_PERCENT = {0, 45, 84, 91, 95, 95, 95, 95, 95};

  /** Fingerprints with fewer bits have too few offsets to reach every bucket. */
  private static final int SHORT_BITS = 7;

  /** The reduction of the maximum load for short fingerprints. */
  private static final int SHORT_PERCENT = 10;

  /** The load for which fingerprint bits are chosen, for any bucket size. */
  private static final double PLANNED_LOAD = 0.95;

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

  /**
   * Returns the smallest f for which 2b x 0.95 / (2^f - 1) is at most the rate. The result may
   * exceed {@link #MAX_BITS}.
   */
  static int bitsFor(double rate, int bucketSize) {
    int bits = MIN_BITS;
    while (bits < 64 && 2 * bucketSize * PLANNED_LOAD / (Math.pow(2, bits) - 1) > rate) {
      bits++;
    }
    return bits;
  }

  /**
   * Returns the number of buckets for the expected items, which is even.
   *
   * <p>Random clustering has more weight in small tables, so some spare buckets are added: they
   * make it unlikely that a table refuses keys below its capacity.
   */
  static long buckets(long items, int bucketSize, int bits) {
    long perBucket = (long) bucketSize * loadPercent(bucketSize, bits);
    long needed = (Math.multiplyExact(items, 100L) + perBucket - 1) / perBucket;
    long spare = needed <= 2 ? 0 : Math.min(16, 1 + needed / 64);
    long buckets = needed + spare;
    return Math.max(2, buckets + (buckets & 1));
  }

  /** Returns the false positive rate at the planned load. */
  static double plannedRate(int bits, int bucketSize) {
    return rate(bits, bucketSize, PLANNED_LOAD);
  }

  /** Returns why these dimensions are invalid, or null if they are valid. */
  static @Nullable String fault(long bits, long pairBits, long bucketSize, long buckets) {
    if (bits < MIN_BITS || bits > MAX_BITS) {
      return "bits must be 4 to 32: " + bits;
    }
    if (pairBits < MIN_BITS || pairBits > Math.min(bits, MAX_PAIR_BITS)) {
      return "pair bits must be 4 to the lesser of 12 and the bits: " + pairBits;
    }
    if (bucketSize < 1 || bucketSize > MAX_BUCKET_SIZE) {
      return "bucket size must be 1 to 8: " + bucketSize;
    }
    if (buckets < 2 || buckets > 2 * MAX_ITEMS || (buckets & 1) != 0) {
      return "buckets must be an even number of 2 to " + 2 * MAX_ITEMS + ": " + buckets;
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

  /** Returns the number of fingerprints that a table accepts. */
  long capacity() {
    return slots() * loadPercent(bucketSize, bits) / 100;
  }

  /** Returns the bytes of the packed fingerprints, in whole words. */
  long packedBytes() {
    return (slots() * bits + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
  }

  /** Returns the false positive rate at the planned load. */
  double plannedRate() {
    return plannedRate(bits, bucketSize);
  }

  /** Returns the probability that an absent key looks present. */
  double rate(double load) {
    return rate(bits, bucketSize, load);
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

  /**
   * Returns the probability that an absent key looks present. A key is compared with 2b slots. Each
   * is in use with the probability of the load, and then contains the key's fingerprint with the
   * probability (2^f + 2) / 2^2f; it is not 1 / 2^f because the fingerprint 0 is replaced by 1.
   */
  private static double rate(int bits, int bucketSize, double load) {
    double values = Math.pow(2, bits);
    return Math.min(1, 2 * bucketSize * load * (values + 2) / (values * values));
  }

  private static int loadPercent(int bucketSize, int bits) {
    return LOAD_PERCENT[bucketSize] - (bits < SHORT_BITS ? SHORT_PERCENT : 0);
  }
}
