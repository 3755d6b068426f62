package io.heatshield.filter;

/** What a filter does when it is full. */
public enum Growth {
  /**
   * Adds a sub-filter as large as all before, with half the error of the one before, so that the
   * sum of all errors stays below the target. A lookup of an absent key asks every sub-filter.
   */
  CHAIN,
  /** Refuses until the owner calls {@link CuckooFilter#rebuild}. */
  REBUILD,
  /** Refuses. */
  REFUSE
}
