package io.heatshield.filter;

/**
 * Statistics of a filter. Fields are read one after another, so concurrent writes may make them
 * slightly inconsistent.
 *
 * @param size fingerprints stored
 * @param capacity fingerprints that fit before the filter grows or refuses additions
 * @param load the fraction of all slots in use
 * @param bytes memory in use, including that of a running rebuild
 * @param maxBytes the memory budget
 * @param expectedFalsePositiveRate probability that an absent key looks present, at this load
 * @param targetFalsePositiveRate the configured false positive rate
 * @param fingerprintBits bits per fingerprint in the newest sub-filter
 * @param subFilters the number of tables
 * @param moves fingerprints moved to free slots
 * @param failedSearches searches for an empty slot that failed below the capacity
 * @param refused additions that returned {@link AddResult#FULL}
 * @param kept removals that returned {@link RemoveResult#KEPT}
 * @param listenerFaults calls of the listener that threw and were taken for a refusal
 * @param rebuildWanted whether a rebuild is wanted: the filter is full under {@link
 *     Growth#REBUILD}, or a listener returned {@link Pressure.Relief#REBUILD}, and no rebuild has
 *     been done since
 */
public record FilterStats(
    long size,
    long capacity,
    double load,
    long bytes,
    long maxBytes,
    double expectedFalsePositiveRate,
    double targetFalsePositiveRate,
    int fingerprintBits,
    int subFilters,
    long moves,
    long failedSearches,
    long refused,
    long kept,
    long listenerFaults,
    boolean rebuildWanted) {}
