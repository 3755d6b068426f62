package io.heatshield.redisbloom;

/**
 * The settings of a {@link LayeredCuckoo}.
 *
 * @param capacity the capacity of the first table
 * @param bucketSize the bucket size that the client requested; buckets always have four slots
 * @param maxIterations the maximum number of moves in a search for an empty slot; at least 500 are
 *     always made
 * @param expansion the growth factor that the client requested, rounded up to a power of two; 0 if
 *     the filter must not grow. Growth always doubles.
 */
public record CuckooShape(long capacity, int bucketSize, int maxIterations, int expansion) {
  private static final long MAX_BUCKETS = 1L << 30;

  /** The largest array of words. */
  private static final long MAX_TABLE_BYTES = (long) Long.BYTES * (Integer.MAX_VALUE - 8);

  private static final int MAX_LOG_OF_ONE_TABLE = 20;

  /** Validates the settings, and rounds the expansion up to a power of two. */
  public CuckooShape {
    if (capacity < 1 || capacity > LayeredCuckoo.MAX_CAPACITY) {
      throw new IllegalArgumentException("capacity must be from 1 to 2^30: " + capacity);
    }
    if (bucketSize < 1 || bucketSize > 255 || maxIterations < 1 || maxIterations > 65_535) {
      throw new IllegalArgumentException(
          "bucket size must be 1 to 255 and iterations 1 to 65535: "
              + (bucketSize + ", " + maxIterations));
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
   * Returns the spare position bits per fingerprint in the first table: one that a growing filter
   * always keeps, and one for each doubling up to 2^20 items.
   */
  int spare() {
    int log = Long.SIZE - Long.numberOfLeadingZeros(capacity - 1);
    int doublings = Math.min(CuckooLayer.MAX_SPARE, MAX_LOG_OF_ONE_TABLE + 1 - log);
    return expansion == 0 ? 0 : Math.max(1, doublings);
  }

  /** Returns the bytes of a table, or -1 if it would be too large. */
  long layerBytes(int shift, int spare) {
    long buckets = CuckooLayer.buckets(capacity);
    if (shift > 30 || buckets > MAX_BUCKETS >> shift) {
      return -1;
    }
    long bytes = CuckooLayer.bytes(buckets << shift, spare);
    return bytes > MAX_TABLE_BYTES ? -1 : bytes;
  }

  CuckooLayer layer(int shift, int spare) {
    return new CuckooLayer(capacity << shift, (int) CuckooLayer.buckets(capacity), shift, spare);
  }

  /** Returns the maximum number of items counted outside of the tables. */
  int maxRepeatedItems() {
    return (int) Math.min(1 << 20, 16 + capacity / 8);
  }
}
