package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all stripes of a table share.
 *
 * @param stripes the number of stripes, or 0 for the default
 */
record ContestConfig(
    long windowNanos,
    int probes,
    int stripes,
    @Nullable DistinctSettings distinct,
    TokenBuckets buckets,
    Decay decay) {

  /** The LRU order ignores time differences of up to window / 2^6. */
  private static final int LRU_TOLERANCE_SHIFT = 6;

  /** A slot's reference and scaled score, at most four cells of the index, and the entry. */
  private static final int ENTRY_BYTES = 4 + 4 + 4 * 4 + 80;

  private static final int ARRAY_BYTES = 16;
  private static final int DEFAULT_STRIPES = 16;
  private static final int MIN_KEYS_PER_STRIPE = 32;

  /** Returns the time between two touches up to which the LRU list may ignore their order. */
  long lruToleranceNanos() {
    return windowNanos >> LRU_TOLERANCE_SHIFT;
  }

  /** Returns the number of stripes of a table: a power of two, at most the number of keys. */
  int stripesFor(int maxKeys) {
    int mostUseful = Math.max(1, maxKeys / MIN_KEYS_PER_STRIPE);
    return Integer.highestOneBit(
        stripes > 0 ? Math.min(stripes, maxKeys) : Math.min(DEFAULT_STRIPES, mostUseful));
  }

  /** Returns whether other settings count in the same way. */
  boolean countsLike(ContestConfig other) {
    return windowNanos == other.windowNanos
        && probes == other.probes
        && Objects.equals(distinct, other.distinct)
        && buckets.hasSameRates(other.buckets);
  }

  /** Returns the rate of a score in touches per second. */
  double rate(double score) {
    return score / (windowNanos / 1e9);
  }

  /**
   * Returns the most bytes of an entry with a key of this length, and its slot, by the object
   * layout of a 64-bit JVM with compressed references.
   */
  long entryBytes(int keyLength) {
    int stored = keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES;
    return ENTRY_BYTES
        + arrayBytes(stored)
        + (distinct == null ? 0 : arrayBytes((long) distinct.words() * Long.BYTES))
        + (buckets.words() == 1 ? 0 : arrayBytes((long) buckets.words() * Long.BYTES))
        + UntrackedScores.bytes(1);
  }

  private static long arrayBytes(long bytes) {
    return ARRAY_BYTES + (bytes + 7) / 8 * 8;
  }
}
