package io.heatshield.rocksdb;

import java.nio.file.Path;

/**
 * The options of a RocksDB engine.
 *
 * @param folder the folder of the data, created if necessary
 * @param blockCacheBytes the memory for blocks that were read
 * @param writeBufferBytes the memory for writes of one column family that are not in a file yet
 * @param bloomBits the bits per key of RocksDB's own filter; 0 for none, which is right if the
 *     guard has a filter
 * @param measured whether compaction is measured, at a small cost
 * @param hotBuckets the number of key ranges for keys that are written often, 1 to 256
 * @param salvage whether damaged data is replaced by what can be read of it; otherwise it is not
 *     opened
 */
public record RocksOptions(
    Path folder,
    long blockCacheBytes,
    long writeBufferBytes,
    int bloomBits,
    boolean measured,
    int hotBuckets,
    boolean salvage) {
  private static final int MAX_BUCKETS = 256;

  /** Checks the numbers. */
  public RocksOptions {
    if (hotBuckets < 1 || hotBuckets > MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "hot buckets must be 1 to " + MAX_BUCKETS + ": " + hotBuckets);
    }
    if (blockCacheBytes < 0 || writeBufferBytes < 1) {
      throw new IllegalArgumentException(
          "memory must be positive: " + blockCacheBytes + ", " + writeBufferBytes);
    }
  }

  /** Returns 64 MiB of blocks, 64 MiB of writes, no filter and four ranges. */
  public static RocksOptions in(Path folder) {
    return new RocksOptions(folder, 64L << 20, 64L << 20, 0, false, 4, false);
  }

  /** Returns these options with another block cache. */
  public RocksOptions blockCache(long bytes) {
    return new RocksOptions(
        folder, bytes, writeBufferBytes, bloomBits, measured, hotBuckets, salvage);
  }

  /** Returns these options with another write buffer. */
  public RocksOptions writeBuffer(long bytes) {
    return new RocksOptions(
        folder, blockCacheBytes, bytes, bloomBits, measured, hotBuckets, salvage);
  }

  /** Returns these options with RocksDB's own filter. */
  public RocksOptions bloom(int bits) {
    return new RocksOptions(
        folder, blockCacheBytes, writeBufferBytes, bits, measured, hotBuckets, salvage);
  }

  /** Returns these options with compaction measured. */
  public RocksOptions measuring() {
    return new RocksOptions(
        folder, blockCacheBytes, writeBufferBytes, bloomBits, true, hotBuckets, salvage);
  }

  /** Returns these options with another number of hot ranges. */
  public RocksOptions spreadOver(int buckets) {
    return new RocksOptions(
        folder, blockCacheBytes, writeBufferBytes, bloomBits, measured, buckets, salvage);
  }

  /** Returns these options with damaged data salvaged. */
  public RocksOptions salvaging() {
    return new RocksOptions(
        folder, blockCacheBytes, writeBufferBytes, bloomBits, measured, hotBuckets, true);
  }

  /** Returns these options for another folder. */
  RocksOptions at(Path other) {
    return new RocksOptions(
        other, blockCacheBytes, writeBufferBytes, bloomBits, measured, hotBuckets, salvage);
  }
}
