package io.heatshield.detect;

/**
 * The errors of a detector's estimates for a sample of keys, which are counted exactly.
 *
 * @param keys the number of sampled keys that the errors are from
 * @param meanError by how much their estimates are too high on average
 * @param maxError by how much their estimates are too high at most
 * @param due how often a sampled key reached the threshold by its exact count
 * @param found how often the touch that reached the threshold got a hot verdict
 * @param refused the number of sampled keys without a place in the audit's table
 */
public record AuditReport(
    int keys, double meanError, long maxError, long due, long found, long refused) {

  /** Returns {@code found / due}, or 1 if nothing was due. */
  public double recall() {
    return due == 0 ? 1 : (double) found / due;
  }
}
