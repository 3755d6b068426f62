package io.heatshield.filter;

/** What a filter does, unless a listener decides, when it would exceed its memory budget. */
public enum OverBudget {
  /** Does not grow. */
  REFUSE,
  /** Shortens the fingerprints until it fits: the false positive rate doubles with every bit. */
  DEGRADE
}
