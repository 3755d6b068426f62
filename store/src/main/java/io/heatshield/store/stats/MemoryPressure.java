package io.heatshield.store.stats;

/**
 * A store's memory has come close to its most.
 *
 * @param percent the level that was passed: 80, 90 (the filter gives up precision) or 95 (the cache
 *     shrinks)
 * @param usedBytes what filter, cache, rings and data in memory take
 * @param maxBytes what they may take
 */
public record MemoryPressure(int percent, long usedBytes, long maxBytes) {}
