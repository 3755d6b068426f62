package io.heatshield.filter;

/** Computes the dimensions and false positive rates of cuckoo filters. */
final class Sizing {
  static final int MIN_BITS = 4;
  static final int MAX_BITS = 32;
  static final int MAX_BUCKET_SIZE = 8;
  static final int MAX_EVICTIONS_LIMIT = 1 << 20;

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

  private Sizing() {}

  /**
   * Returns the probability that an absent key looks present. A key is compared with 2b slots. Each
   * is in use with the probability of the load, and then contains the key's fingerprint with the
   * probability (2^f + 2) / 2^2f; it is not 1 / 2^f because the fingerprint 0 is replaced by 1.
   */
  static double rate(int bits, int bucketSize, double load) {
    double values = Math.pow(2, bits);
    return Math.min(1, 2 * bucketSize * load * (values + 2) / (values * values));
  }

  /** Returns the false positive rate at the planned load. */
  static double plannedRate(int bits, int bucketSize) {
    return rate(bits, bucketSize, PLANNED_LOAD);
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

  /** Returns the number of fingerprints that a table accepts. */
  static long capacity(long buckets, int bucketSize, int bits) {
    return buckets * bucketSize * loadPercent(bucketSize, bits) / 100;
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

  private static int loadPercent(int bucketSize, int bits) {
    return LOAD_PERCENT[bucketSize] - (bits < SHORT_BITS ? SHORT_PERCENT : 0);
  }

  /** Returns the bytes of the packed fingerprints of a table, in whole words. */
  static long packedBytes(long buckets, int bucketSize, int bits) {
    return (buckets * bucketSize * bits + 63) / 64 * Long.BYTES;
  }
}
