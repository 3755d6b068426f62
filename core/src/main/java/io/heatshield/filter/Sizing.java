package io.heatshield.filter;

/** The arithmetic of cuckoo filters: bits, buckets, bytes and rates. */
final class Sizing {
  static final int MIN_BITS = 4;
  static final int MAX_BITS = 32;
  static final int MAX_BUCKET_SIZE = 8;
  static final int MAX_EVICTIONS_LIMIT = 1 << 20;

  /** The most items a filter is ever planned for: more than 2^31 buckets of 8 by far. */
  static final long MAX_ITEMS = 1L << 42;

  /**
   * How full tables get, in percent, by bucket size. Two choices of buckets with 1, 2, 3 and 4
   * slots are known to hold up to 50, 89.7, 95.9 and 98.0 percent; the plan stays below, so that a
   * search for room ends soon.
   */
  private static final int[] LOAD_PERCENT = {0, 45, 84, 91, 95, 95, 95, 95, 95};

  /** How much less, for fingerprints so short that their few offsets do not reach everywhere. */
  private static final int SHORT_BITS = 7;

  private static final int SHORT_PERCENT = 10;

  /** Load at which the bits of a fingerprint are chosen, whatever the bucket size. */
  private static final double PLANNED_LOAD = 0.95;

  private Sizing() {}

  /**
   * Returns the probability that an absent key looks present: each of the 2b slots it is compared
   * with is taken with the probability of the load, and then holds its fingerprint with (2^f + 2) /
   * 2^2f, for there is no fingerprint 0: those of 0 and 1 are 1.
   */
  static double rate(int bits, int bucketSize, double load) {
    double values = Math.pow(2, bits);
    return Math.min(1, 2 * bucketSize * load * (values + 2) / (values * values));
  }

  /**
   * Returns the rate that fingerprints of so many bits reach when the table is as full as planned.
   */
  static double plannedRate(int bits, int bucketSize) {
    return rate(bits, bucketSize, PLANNED_LOAD);
  }

  /**
   * Returns the fewest bits with 2b x 0.95 / (2^f - 1) at most the rate; more than {@link
   * #MAX_BITS} if none do.
   */
  static int bitsFor(double rate, int bucketSize) {
    int bits = MIN_BITS;
    while (bits < 64 && 2 * bucketSize * PLANNED_LOAD / (Math.pow(2, bits) - 1) > rate) {
      bits++;
    }
    return bits;
  }

  /** Returns how many fingerprints a table is allowed to take. */
  static long capacity(long buckets, int bucketSize, int bits) {
    return buckets * bucketSize * loadPercent(bucketSize, bits) / 100;
  }

  /**
   * Returns the even number of buckets that a plan for so many items needs.
   *
   * <p>Chance weighs more in small tables: some buckets more keep the probability small that keys
   * crowd into a few.
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

  /** Returns the bytes of a table's packed fingerprints. */
  static long packedBytes(long buckets, int bucketSize, int bits) {
    return (buckets * bucketSize * bits + 63) / 64 * Long.BYTES;
  }
}
