package io.heatshield.contest;

/**
 * An estimate of distinct values.
 *
 * @param estimate the estimate, rounded
 * @param atLeast whether the bitmap is full, so that there may be any number more
 */
public record Distinct(long estimate, boolean atLeast) {

  /** No values. */
  static final Distinct NONE = new Distinct(0, false);

  /** Returns the estimate as people read it. */
  @Override
  public String toString() {
    return atLeast ? "at least " + estimate : Long.toString(estimate);
  }
}
