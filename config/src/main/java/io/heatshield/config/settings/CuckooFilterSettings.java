package io.heatshield.config.settings;

import io.heatshield.action.Mode;
import io.heatshield.config.value.FingerprintBits;

/** The filter that knows which keys are absent; of a store or of the shield. */
public record CuckooFilterSettings(
    @Setting(value = "true", doc = "Whether the store has a filter.") boolean enabled,
    @Setting(value = "observe", live = true, doc = "Whether the filter answers reads.") Mode mode,
    @Setting(
            value = "1000000",
            min = "1",
            max = "4000000000000",
            doc = "The expected number of keys.")
        long expectedItems,
    @Setting(
            value = "0.001",
            above = "0",
            below = "1",
            doc = "The false positive rate: the part of absent keys that still reach the engine.")
        double falsePositiveRate,
    @Setting(
            value = "5",
            min = "1",
            max = "10",
            doc = "The maximum size of the filter, in percent of the store's memory.")
        int memoryBudgetPercent,
    @Setting(
            value = "degrade",
            doc =
                "Whether a filter that is too large gets shorter fingerprints or the server"
                    + " does not start.")
        OnOverBudget onOverBudget,
    @Setting(
            value = "rebuild",
            doc =
                "Whether a full filter is rebuilt larger, extended by another one, or left as"
                    + " it is.")
        Grow grow,
    @Setting(
            value = "auto",
            aliases = "fingerprint_size",
            doc =
                "The bits of a fingerprint, 4 to 32; auto derives them from the false positive"
                    + " rate.")
        FingerprintBits fingerprintBits,
    @Setting(value = "4", min = "1", max = "8", doc = "The number of fingerprints in a bucket.")
        int bucketSize,
    @Setting(
            value = "500",
            min = "1",
            max = "100000",
            aliases = "max_eviction_attempts",
            doc = "The number of moves before the filter counts as full.")
        int maxEvictions) {

  /** The action taken when a filter exceeds its budget. */
  public enum OnOverBudget {
    /** The filter gets shorter fingerprints. */
    DEGRADE,
    /** The server does not start. */
    REFUSE
  }

  /** The action taken when a filter is full. */
  public enum Grow {
    /** A larger filter is built from the store. */
    REBUILD,
    /** Another filter is added. */
    CHAIN,
    /** The filter stays as it is; keys that do not fit count as present. */
    REFUSE
  }
}
