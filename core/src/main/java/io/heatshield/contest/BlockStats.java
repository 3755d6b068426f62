package io.heatshield.contest;

/**
 * Statistics about the blocked keys of a table since it was created.
 *
 * @param size the used places, including those of ended blocks that were not swept yet
 * @param capacity the number of places
 * @param blocked keys that were blocked
 * @param extended blocks that were extended
 * @param refused keys that were not blocked because every place was used
 * @param lifted blocks that were lifted before their end
 */
public record BlockStats(
    long size, long capacity, long blocked, long extended, long refused, long lifted) {}
