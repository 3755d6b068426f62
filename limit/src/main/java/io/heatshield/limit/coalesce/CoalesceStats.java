package io.heatshield.limit.coalesce;

/**
 * Totals of a coalescer since it was created.
 *
 * @param hotKeys counters that are hot now
 * @param promotions how often a counter became hot
 * @param demotions how often a counter cooled or was evicted
 * @param batches batches that were sent
 * @param overflows calls that found the queue of their counter full and were sent alone
 */
public record CoalesceStats(
    int hotKeys, long promotions, long demotions, long batches, long overflows) {}
