package io.heatshield.data.store;

import io.heatshield.config.settings.StoreSettings;

/**
 * The shares of a store's maximum memory that its engine takes, in bytes.
 *
 * @param data the data of an engine in memory
 * @param blocks the cache of blocks of an engine on disk
 * @param writeBuffer one of the buffers of writes of an engine on disk
 * @param structures the structures of an engine on disk that are kept in memory
 * @param guard the memory of filter, cache and rings
 */
record EngineBudget(long data, long blocks, long writeBuffer, long structures, long guard) {
  /** The most buffers of writes: two of each of the two column families. */
  static final int WRITE_BUFFERS = 4;

  private static final int DATA_PERCENT = 90;
  private static final long MIN_GUARD = 1 << 20;
  private static final long MIN_WRITE_BUFFER = 1 << 20;
  private static final long MAX_WRITE_BUFFER = 64 << 20;

  /** Returns the shares of an engine, given the maximum memory of the store. */
  static EngineBudget of(StoreSettings.Engine engine, long memory) {
    return switch (engine) {
      case MEMORY -> new EngineBudget(memory / 100 * DATA_PERCENT, 0, 0, 0, memory);
      case REDIS -> new EngineBudget(0, 0, 0, 0, memory);
      case ROCKSDB -> {
        long blocks = memory / 4;
        long structures = memory / 8;
        long writeBuffer = Math.max(MIN_WRITE_BUFFER, Math.min(MAX_WRITE_BUFFER, memory / 32));
        long guard = memory - blocks - WRITE_BUFFERS * writeBuffer - structures;
        yield new EngineBudget(0, blocks, writeBuffer, structures, Math.max(MIN_GUARD, guard));
      }
    };
  }
}
