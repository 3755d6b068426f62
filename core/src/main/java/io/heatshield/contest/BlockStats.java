package io.heatshield.contest;

/**
 * What a block table holds and did.
 *
 * @param size the places taken, by blocks that hold and such that have ended and were not swept
 * @param capacity the places
 * @param blocked keys that were blocked
 * @param extended blocks that were made longer
 * @param refused keys that were not blocked because every place was taken
 * @param lifted blocks that were ended on demand
 */
public record BlockStats(
    long size, long capacity, long blocked, long extended, long refused, long lifted) {}
