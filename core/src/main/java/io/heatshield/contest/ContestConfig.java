package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the stripes of a table have in common. */
record ContestConfig(
    long windowNanos,
    int probes,
    @Nullable Cardinality cardinality,
    TokenBuckets buckets,
    KeyHash second,
    Decay decay) {

  /** The part of a window within which the order of last touches is not kept. */
  private static final int ORDER_SHIFT = 6;

  /** A slot's reference and mark, its cells in the index at the least load, and its entry. */
  private static final int ENTRY_BYTES = 4 + 4 + 4 * 4 + 80;

  private static final int ARRAY_BYTES = 16;

  /** Returns how far apart two touches must be for their order to be kept. */
  long orderNanos() {
    return windowNanos >> ORDER_SHIFT;
  }

  /** Returns whether tables of either settings count alike. */
  boolean isLike(ContestConfig other) {
    return windowNanos == other.windowNanos
        && probes == other.probes
        && Objects.equals(cardinality, other.cardinality)
        && buckets.isLike(other.buckets);
  }

  /** Returns a rate in touches per second for a score. */
  double rate(double score) {
    return score / (windowNanos / 1e9);
  }

  /**
   * Returns the bytes that a slot with a key of this length takes at most, by the layout of objects
   * on a 64-bit JVM with compressed references.
   */
  long slotBytes(int keyLength) {
    int stored = keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES;
    return ENTRY_BYTES
        + arrayBytes(stored)
        + (cardinality == null ? 0 : arrayBytes((long) cardinality.words() * Long.BYTES))
        + (buckets.words() == 1 ? 0 : arrayBytes((long) buckets.words() * Long.BYTES))
        + RefusedScores.bytes(1);
  }

  private static long arrayBytes(long bytes) {
    return ARRAY_BYTES + (bytes + 7) / 8 * 8;
  }
}
