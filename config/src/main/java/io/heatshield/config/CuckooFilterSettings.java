package io.heatshield.config;

import io.heatshield.action.Mode;

/** The filter that knows which keys are absent, of a store and of the shield. */
public record CuckooFilterSettings(
    @Setting(value = "true", doc = "Whether the store has a filter.") boolean enabled,
    @Setting(value = "observe", live = true, doc = "Whether the filter answers reads.") Mode mode,
    @Setting(
            value = "1000000",
            min = "1",
            max = "10000000000",
            doc = "The keys the filter is made for.")
        long expectedItems,
    @Setting(
            value = "0.001",
            above = "0",
            below = "1",
            doc = "The part of absent keys that may still reach the engine.")
        double falsePositiveRate,
    @Setting(
            value = "5",
            min = "1",
            max = "10",
            doc = "The part of the store's memory that the filter may take, in percent.")
        int memoryBudgetPercent,
    @Setting(
            value = "degrade",
            doc =
                "What happens when the filter does not fit: degrade takes shorter fingerprints,"
                    + " refuse does not start.")
        OnOverBudget onOverBudget,
    @Setting(
            value = "rebuild",
            doc =
                "What happens when the filter is full: rebuild makes a larger one, chain adds one"
                    + " beside it, refuse leaves it as it is.")
        Grow grow,
    @Setting(
            value = "auto",
            aliases = "fingerprint_size",
            doc = "The bits of a fingerprint, 4 to 32; auto derives them from the rate.")
        FingerprintBits fingerprintBits,
    @Setting(value = "4", min = "1", max = "8", doc = "The fingerprints in a bucket.")
        int bucketSize,
    @Setting(
            value = "500",
            min = "1",
            max = "100000",
            aliases = "max_eviction_attempts",
            doc = "The moves tried before the filter counts as full.")
        int maxEvictions) {

  /** What happens when a filter does not fit its budget. */
  public enum OnOverBudget {
    /** Takes shorter fingerprints. */
    DEGRADE,
    /** Does not start. */
    REFUSE
  }

  /** What happens when a filter is full. */
  public enum Grow {
    /** Makes a larger one from the store. */
    REBUILD,
    /** Adds a further filter beside the full one. */
    CHAIN,
    /** Leaves it as it is; keys that found no place are taken for present. */
    REFUSE
  }
}
