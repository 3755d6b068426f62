package io.heatshield.store.stats;

/**
 * The memory of a store has exceeded a level.
 *
 * @param percent the level: 80, 90 (the filter loses precision) or 95 (the cache shrinks)
 * @param usedBytes the memory of filter, cache, rings and data in memory
 * @param maxBytes the memory that they may use
 */
public record MemoryPressure(int percent, long usedBytes, long maxBytes) {}
