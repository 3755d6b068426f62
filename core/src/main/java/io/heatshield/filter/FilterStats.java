package io.heatshield.filter;

/**
 * The state of a filter. Taken field by field while others write, so the numbers may be some
 * operations apart.
 *
 * @param size fingerprints stored
 * @param capacity fingerprints that may be stored before the filter grows or refuses
 * @param load part of all slots that are taken
 * @param bytes memory, with a running rebuild's
 * @param budgetBytes the most memory
 * @param expectedFalsePositiveRate probability that an absent key looks present, at this load
 * @param targetFalsePositiveRate what was asked for
 * @param fingerprintBits bits of the newest sub-filter's fingerprints
 * @param subFilters how many tables there are
 * @param moves fingerprints moved to make room
 * @param failedSearches searches for room that found none before the capacity was reached
 * @param refused additions that were answered with {@link AddResult#FULL}
 * @param kept deletions that were answered with {@link DeleteResult#KEPT}
 * @param rebuildWanted whether pressure was answered with {@link Pressure.Relief#REBUILD} since the
 *     last one
 */
public record FilterStats(
    long size,
    long capacity,
    double load,
    long bytes,
    long budgetBytes,
    double expectedFalsePositiveRate,
    double targetFalsePositiveRate,
    int fingerprintBits,
    int subFilters,
    long moves,
    long failedSearches,
    long refused,
    long kept,
    boolean rebuildWanted) {}
