package io.heatshield.detect;

/**
 * What the exact count of a sample of keys shows about the estimates.
 *
 * @param keys sampled keys that the errors are taken over
 * @param meanError by how much their estimates are too high on average
 * @param maxError by how much at most
 * @param due how often a sampled key reached the threshold by its exact count
 * @param found how often that was reported at the touch
 * @param refused sampled keys that found no place in the audit's table
 */
public record AuditReport(
    int keys, double meanError, long maxError, long due, long found, long refused) {

  /** Returns the found part of what was due, 1 when nothing was; read it with {@link #due}. */
  public double recall() {
    return due == 0 ? 1 : (double) found / due;
  }
}
