package io.heatshield.ring;

/** How the counts of a key's active and warm generation become one; with a window they are one. */
public enum Merge {
  /** Both together. */
  SUM {
    @Override
    long of(Entry entry) {
      return entry.sum();
    }
  },

  /** The larger of both, as {@code count} and {@code clamp} have it. */
  LARGER {
    @Override
    long of(Entry entry) {
      return entry.count();
    }
  };

  abstract long of(Entry entry);
}
