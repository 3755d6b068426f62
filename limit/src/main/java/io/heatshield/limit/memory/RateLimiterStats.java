package io.heatshield.limit.memory;

import java.util.Map;

/**
 * Statistics of a {@link RateLimiter} since it was built.
 *
 * @param keys the counters in use
 * @param maxKeys the most counters
 * @param untracked calls of keys for which there was no place
 * @param limits the totals of each limit by its name, untracked calls included
 */
public record RateLimiterStats(int keys, int maxKeys, long untracked, Map<String, Totals> limits) {

  /** The calls that a limit admitted and refused. */
  public record Totals(long admitted, long refused) {}
}
