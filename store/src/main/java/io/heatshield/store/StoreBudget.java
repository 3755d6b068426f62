package io.heatshield.store;

/**
 * The shares of a store's maximum memory.
 *
 * @param filter the most bytes of the filter, its rebuild included; 0 without a filter
 * @param cache the most bytes of the cache of hot values
 * @param readRing the most bytes of the ring that counts reads; 0 without rings
 * @param writeRing the most bytes of the ring that counts writes
 * @param routingRing the most bytes of the ring that finds keys to store separately
 */
public record StoreBudget(
    long filter, long cache, long readRing, long writeRing, long routingRing) {
  private static final int RINGS_PERCENT = 5;
  private static final int CACHE_PERCENT = 90;

  /** Returns the shares of a store with these options. */
  public static StoreBudget of(StoreOptions options) {
    long memory = options.maxMemory();
    StoreOptions.Filter filter = options.filter();
    RingShape ring = options.ring();
    RingShape routing = options.routing().ring() == null ? ring : options.routing().ring();
    return new StoreBudget(
        filter == null ? 0 : filter.maxBytes(memory),
        percent(memory, CACHE_PERCENT),
        ring == null ? 0 : ring.maxBytes(ringCap(memory)),
        ring == null ? 0 : ring.maxBytes(ringCap(memory)),
        routing == null ? 0 : routing.maxBytes(ringCap(memory)));
  }

  /** Returns the cap in bytes of the entries of each ring. */
  static long ringCap(long maxMemory) {
    return percent(maxMemory, RINGS_PERCENT) / 3;
  }

  private static long percent(long maxMemory, int percent) {
    return Math.max(1, maxMemory / 100 * percent);
  }
}
