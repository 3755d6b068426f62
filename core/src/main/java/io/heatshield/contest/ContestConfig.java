package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
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
}
