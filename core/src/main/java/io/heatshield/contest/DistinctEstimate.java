package io.heatshield.contest;

/**
 * An estimate of a number of distinct targets.
 *
 * @param estimate the estimate, rounded
 * @param atLeast whether the bitmap is full, so that the true number may be any higher one
 */
public record DistinctEstimate(long estimate, boolean atLeast) {

  /** The estimate for no targets. */
  static final DistinctEstimate NONE = new DistinctEstimate(0, false);

  /** Returns the estimate for display, with "at least" if the bitmap is full. */
  @Override
  public String toString() {
    return atLeast ? "at least " + estimate : Long.toString(estimate);
  }
}
