package io.heatshield.filter;

/** The action of a filter without a listener that would exceed its memory budget. */
public enum OverBudget {
  /** Does not grow. */
  REFUSE,
  /** Shortens the fingerprints until they fit. Each bit doubles the false positive rate. */
  DEGRADE
}
