package io.heatshield.filter;

/** The action of a filter that is full. */
public enum Growth {
  /**
   * Adds a sub-filter with the capacity of all existing ones and half the false positive rate of
   * the newest, so that the sum of the rates stays below the target. A lookup of an absent key
   * reads every sub-filter. Additions are refused only if the next sub-filter would exceed the
   * memory budget or 32 bits per fingerprint.
   */
  CHAIN,
  /** Refuses additions until the owner calls {@link CuckooFilter#rebuild}. */
  REBUILD,
  /** Refuses additions. */
  REFUSE
}
