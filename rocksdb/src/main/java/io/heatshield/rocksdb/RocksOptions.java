package io.heatshield.rocksdb;

import java.nio.file.Path;

/**
 * Where a RocksDB engine keeps its data, and how much memory it takes.
 *
 * @param folder the folder, made if it is not there
 * @param blockCacheBytes the memory for blocks that were read
 * @param writeBufferBytes the memory for writes of one column family that are not in a file yet
 * @param bloomBits the bits per key of RocksDB's own filter; 0 for none, as a guard with a filter
 *     of its own has no use for it
 * @param measured whether compaction is measured, which costs a little
 * @param hotBuckets over how many ranges the keys that are written often are spread, 1 to 256
 */
public record RocksOptions(
    Path folder,
    long blockCacheBytes,
    long writeBufferBytes,
    int bloomBits,
    boolean measured,
    int hotBuckets) {
  private static final int MAX_BUCKETS = 256;

  /** Checks the numbers. */
  public RocksOptions {
    if (hotBuckets < 1 || hotBuckets > MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "hot buckets must be 1 to " + MAX_BUCKETS + ": " + hotBuckets);
    }
    if (blockCacheBytes < 0 || writeBufferBytes < 1) {
      throw new IllegalArgumentException("memory must be positive");
    }
  }

  /** Returns 64 MiB of blocks, 64 MiB of writes, no filter and four ranges. */
  public static RocksOptions in(Path folder) {
    return new RocksOptions(folder, 64L << 20, 64L << 20, 0, false, 4);
  }

  /** Returns these options with another memory for blocks. */
  public RocksOptions blockCache(long bytes) {
    return new RocksOptions(folder, bytes, writeBufferBytes, bloomBits, measured, hotBuckets);
  }

  /** Returns these options with another memory for writes. */
  public RocksOptions writeBuffer(long bytes) {
    return new RocksOptions(folder, blockCacheBytes, bytes, bloomBits, measured, hotBuckets);
  }

  /** Returns these options with RocksDB's own filter. */
  public RocksOptions bloom(int bits) {
    return new RocksOptions(folder, blockCacheBytes, writeBufferBytes, bits, measured, hotBuckets);
  }

  /** Returns these options with compaction measured. */
  public RocksOptions measuring() {
    return new RocksOptions(folder, blockCacheBytes, writeBufferBytes, bloomBits, true, hotBuckets);
  }

  /** Returns these options with other ranges. */
  public RocksOptions spreadOver(int buckets) {
    return new RocksOptions(
        folder, blockCacheBytes, writeBufferBytes, bloomBits, measured, buckets);
  }
}
