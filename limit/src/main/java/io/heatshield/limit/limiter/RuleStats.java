package io.heatshield.limit.limiter;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counts of all rules by name, under a fixed number of names.
 *
 * <p>A name that comes when all places are taken is counted under {@value #OTHER}. Names stay, also
 * when a reload removes their rule: counts never run backwards. Any thread may call any method.
 */
public final class RuleStats {
  /** The name that counts whatever found no place of its own. */
  public static final String OTHER = "other";

  private final int maxNames;
  private final ConcurrentHashMap<String, RuleCounts> counts = new ConcurrentHashMap<>();
  private final RuleCounts other = new RuleCounts();
  private volatile boolean full;

  RuleStats(int maxNames) {
    if (maxNames < 1) {
      throw new IllegalArgumentException("maxNames must be at least 1: " + maxNames);
    }
    this.maxNames = maxNames;
  }

  /**
   * Returns the counts by the names of rules, and those of {@value #OTHER}; a snapshot of names.
   */
  public Map<String, RuleCounts> all() {
    var all = new TreeMap<String, RuleCounts>(counts);
    all.put(OTHER, other);
    return all;
  }

  /** Returns the counts of a name. */
  RuleCounts of(String name) {
    RuleCounts known = counts.get(name);
    if (known != null) {
      return known;
    }
    return full ? other : added(name);
  }

  private synchronized RuleCounts added(String name) {
    RuleCounts known = counts.get(name);
    if (known != null) {
      return known;
    }
    if (counts.size() >= maxNames) {
      full = true;
    }
    if (full || name.equals(OTHER)) {
      return other;
    }
    var fresh = new RuleCounts();
    counts.put(name, fresh);
    return fresh;
  }
}
