package io.heatshield.contest;

import java.util.List;

/**
 * Statistics of a table since it was created. The parts are read one after the other.
 *
 * @param keys the counts of the table of keys
 * @param blocks the counts of blocked keys
 * @param observedBlocks the keys that rules in observe would have blocked, including those whose
 *     block would have ended
 * @param rules the counts of the rules, in their order
 * @param listenerFaults the calls of the listener and of the predicate of trusted keys that threw
 */
public record HeavyHittersStats(
    ContestStats keys,
    BlockStats blocks,
    long observedBlocks,
    List<RuleStats> rules,
    long listenerFaults) {

  /** Copies the rules. */
  public HeavyHittersStats {
    rules = List.copyOf(rules);
  }
}
