package io.heatshield.ring;

/**
 * The rule by which a view combines a key's counts of the active and the warm generation. A ring
 * with a window has only one count per key, so there the rule has no effect.
 */
public enum Merge {
  /** The sum of both counts. */
  SUM {
    @Override
    long of(Entry entry) {
      return entry.sum();
    }
  },

  /** The larger count, which {@code count} and {@code clamp} also use. */
  LARGER {
    @Override
    long of(Entry entry) {
      return entry.count();
    }
  };

  abstract long of(Entry entry);
}
