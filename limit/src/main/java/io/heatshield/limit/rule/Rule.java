package io.heatshield.limit.rule;

import io.heatshield.limit.Limit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule as configured: its match on its level, its limit, and the rules below it.
 *
 * @param key not empty
 * @param value empty to match all values of the key
 * @param rateLimit null for a rule without a limit
 * @param metadata the dynamic metadata of a request that passed this rule
 */
public record Rule(
    String key,
    String value,
    @Nullable RuleLimit rateLimit,
    Set<Flag> flags,
    Map<String, Object> metadata,
    List<Rule> descriptors) {

  /** The boolean options of a rule. */
  public enum Flag {
    /** Counts hits over the limit, but answers OK. */
    SHADOW_MODE,
    /** A request is over only if all its rules in quota mode are over. */
    QUOTA_MODE,
    /** The name of the statistics has all keys and values of the descriptor. */
    DETAILED_METRIC,
    /** The name of the statistics has the matched value. */
    VALUE_TO_METRIC,
    /** All values that its wildcard matches share a counter. */
    SHARE_THRESHOLD
  }

  /** Copies the collections. */
  public Rule {
    flags = Set.copyOf(flags);
    metadata = Map.copyOf(metadata);
    descriptors = List.copyOf(descriptors);
  }

  /** Returns a rule with only a limit. */
  public static Rule of(String key, String value, Limit limit) {
    return new Rule(
        key, value, RuleLimit.of(limit), EnumSet.noneOf(Flag.class), Map.of(), List.of());
  }

  /** Returns the pattern of its level: the key, or key and value joined by {@code _}. */
  public String pattern() {
    return value.isEmpty() ? key : key + "_" + value;
  }

  /** Returns whether the pattern has a wildcard. */
  public boolean isWildcard() {
    return pattern().indexOf('*') >= 0;
  }
}
