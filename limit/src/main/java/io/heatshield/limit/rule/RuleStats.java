package io.heatshield.limit.rule;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The statistics of all rules by name, for a bounded number of names.
 *
 * <p>Further names are counted under {@value #OTHER}. Names stay when a reload removes their rule,
 * so that counts never decrease. Any thread may call any method.
 */
public final class RuleStats {
  /** The name for all rules without statistics of their own. */
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

  /** Returns the statistics by rule name, with {@value #OTHER}; a snapshot of the names. */
  public Map<String, RuleCounts> all() {
    var all = new TreeMap<String, RuleCounts>(counts);
    all.put(OTHER, other);
    return all;
  }

  /** Returns the statistics of a name. */
  RuleCounts of(String name) {
    RuleCounts known = counts.get(name);
    if (known != null) {
      return known;
    }
    return full ? other : add(name);
  }

  private synchronized RuleCounts add(String name) {
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
