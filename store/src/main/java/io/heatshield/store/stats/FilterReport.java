package io.heatshield.store.stats;

import io.heatshield.action.Mode;
import io.heatshield.filter.FilterStats;

/**
 * The state of a store's filter.
 *
 * @param mode whether it answers reads
 * @param complete whether it has every key, so that its answers are trusted
 * @param rebuilding whether it is being rebuilt from the engine's keys
 * @param scanned how many keys the current or last rebuild has read
 * @param expected about how many keys there are
 * @param lastRebuild how the last rebuild ended
 * @param stats its size, memory and error
 */
public record FilterReport(
    Mode mode,
    boolean complete,
    boolean rebuilding,
    long scanned,
    long expected,
    String lastRebuild,
    FilterStats stats) {}
