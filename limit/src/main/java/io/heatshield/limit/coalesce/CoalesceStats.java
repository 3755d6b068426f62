package io.heatshield.limit.coalesce;

/**
 * What a coalescer has done since it was made.
 *
 * @param hotKeys keys that are hot now
 * @param promotions times that a key turned hot
 * @param demotions times that a key cooled, or lost its place to another
 * @param flights calls that left for one or more callers
 * @param overflows callers that found a flight full, and called by themselves
 */
public record CoalesceStats(
    int hotKeys, long promotions, long demotions, long flights, long overflows) {}
