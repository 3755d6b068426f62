package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all stripes of a table share.
 *
 * @param longKeyHash the second hash, by which long keys are stored
 */
record ContestConfig(
    long windowNanos,
    int probes,
    @Nullable Cardinality cardinality,
    TokenBuckets buckets,
    KeyHash longKeyHash,
    Decay decay) {

  /** The LRU order ignores time differences of up to window / 2^6. */
  private static final int LRU_TOLERANCE_SHIFT = 6;

  /** A slot's reference and scaled score, at most four cells of the index, and the entry. */
  private static final int ENTRY_BYTES = 4 + 4 + 4 * 4 + 80;

  private static final int ARRAY_BYTES = 16;

  /** Returns the time between two touches up to which the LRU list may ignore their order. */
  long lruToleranceNanos() {
    return windowNanos >> LRU_TOLERANCE_SHIFT;
  }

  /** Returns whether other settings count in the same way; the hash functions may differ. */
  boolean countsLike(ContestConfig other) {
    return windowNanos == other.windowNanos
        && probes == other.probes
        && Objects.equals(cardinality, other.cardinality)
        && buckets.hasSameRates(other.buckets);
  }

  /** Returns the rate of a score in touches per second. */
  double rate(double score) {
    return score / (windowNanos / 1e9);
  }

  /**
   * Returns the most bytes of a slot with a key of this length, by the object layout of a 64-bit
   * JVM with compressed references.
   */
  long slotBytes(int keyLength) {
    int stored = keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES;
    return ENTRY_BYTES
        + arrayBytes(stored)
        + (cardinality == null ? 0 : arrayBytes((long) cardinality.words() * Long.BYTES))
        + (buckets.words() == 1 ? 0 : arrayBytes((long) buckets.words() * Long.BYTES))
        + UntrackedScores.bytes(1);
  }

  private static long arrayBytes(long bytes) {
    return ARRAY_BYTES + (bytes + 7) / 8 * 8;
  }
}
