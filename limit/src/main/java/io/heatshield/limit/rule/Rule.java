package io.heatshield.limit.rule;

import io.heatshield.limit.Limit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is written: what it matches on its level, what it sets, and the rules below it.
 *
 * @param key never empty
 * @param value empty if the rule is for all values of its key
 * @param rateLimit null if what the rule matches is not limited
 * @param metadata what the answer's dynamic metadata says of a request that passed this rule
 */
public record Rule(
    String key,
    String value,
    @Nullable RuleLimit rateLimit,
    Set<Flag> flags,
    Map<String, Object> metadata,
    List<Rule> descriptors) {

  /** What a rule says with a plain yes. */
  public enum Flag {
    /** Counts, and answers OK when over. */
    SHADOW_MODE,
    /** Being over makes a request over only if all others in quota mode are over as well. */
    QUOTA_MODE,
    /** Names its counts by all keys and values of the descriptor. */
    DETAILED_METRIC,
    /** Puts the value that it matched into the name of the counts. */
    VALUE_TO_METRIC,
    /** Counts all values that its wildcard matches as one. */
    SHARE_THRESHOLD
  }

  /** Copies what can be changed. */
  public Rule {
    flags = Set.copyOf(flags);
    metadata = Map.copyOf(metadata);
    descriptors = List.copyOf(descriptors);
  }

  /** Returns a rule that sets a limit and nothing else. */
  public static Rule of(String key, String value, Limit limit) {
    return new Rule(
        key, value, RuleLimit.of(limit), EnumSet.noneOf(Flag.class), Map.of(), List.of());
  }

  /** Returns what the rule matches on its level: its key, or key and value joined by {@code _}. */
  public String pattern() {
    return value.isEmpty() ? key : key + "_" + value;
  }

  /** Returns whether the rule matches by wildcard. */
  public boolean isWildcard() {
    return pattern().indexOf('*') >= 0;
  }
}
