package io.heatshield.redisbloom;

/**
 * What a {@link LayeredCuckoo} is made with.
 *
 * @param capacity the items that the first table is made for
 * @param bucketSize the bucket size that the client named; tables have buckets of four in any case
 * @param maxIterations the least number of moves after which a search for room is given up, at
 *     least 500 in any case
 * @param expansion how many times as large as the one before the client wants a further table,
 *     rounded up to a power of two; 0: the filter does not grow. Whatever it is, growth doubles.
 */
public record CuckooShape(long capacity, int bucketSize, int maxIterations, int expansion) {
  private static final long MOST_BUCKETS = 1L << 30;
  private static final int MOST_DOUBLED = 20;

  /** Checks the ranges, and rounds the expansion up to a power of two. */
  public CuckooShape {
    if (capacity < 1 || capacity > LayeredCuckoo.MAX_CAPACITY) {
      throw new IllegalArgumentException("capacity must be from 1 to 2^30: " + capacity);
    }
    if (bucketSize < 1 || bucketSize > 255 || maxIterations < 1 || maxIterations > 65_535) {
      throw new IllegalArgumentException("bucket size or iterations out of range: " + bucketSize);
    }
    if (expansion < 0 || expansion > 32_768) {
      throw new IllegalArgumentException("expansion must be from 0 to 32768: " + expansion);
    }
    expansion = expansion <= 1 ? expansion : Integer.highestOneBit(2 * expansion - 1);
  }

  /** Returns the bytes of the first table. */
  public long bytes() {
    return layerBytes(0, spare());
  }

  /**
   * Returns how many spare bits of position the first table keeps for each fingerprint: one that a
   * filter which may grow never gives up, and one for each doubling up to 2^20 items.
   */
  int spare() {
    int log = Long.SIZE - Long.numberOfLeadingZeros(capacity - 1);
    return expansion == 0 ? 0 : Math.max(1, Math.min(SpareBits.MOST, MOST_DOUBLED + 1 - log));
  }

  /** Returns the bytes of a table, or -1 if there can be none so large. */
  long layerBytes(int shift, int spare) {
    long buckets = CuckooLayer.buckets(capacity);
    return shift > 30 || buckets > MOST_BUCKETS >> shift
        ? -1
        : CuckooLayer.bytes(buckets << shift, spare);
  }

  CuckooLayer layer(int shift, int spare) {
    return new CuckooLayer(capacity << shift, (int) CuckooLayer.buckets(capacity), shift, spare);
  }

  /** Returns how many items may be counted beside the tables. */
  int mostRepeated() {
    return (int) Math.min(1 << 20, 16 + capacity / 8);
  }
}
