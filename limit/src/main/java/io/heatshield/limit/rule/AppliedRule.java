package io.heatshield.limit.rule;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitOverride;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limit that applies to a descriptor: that of a compiled rule, or an override.
 *
 * @param index the index of the rule in its set, or -1 for an override
 * @param name the name of its statistics
 * @param set the limit, its name, and the rules that it replaces
 * @param valueNamed whether the name of its statistics contains a value of the descriptor
 * @param patterns for each entry the pattern whose values share a counter, or an empty text; an
 *     empty list if no entry has one
 */
record AppliedRule(
    int index, String name, Rule rule, RuleLimit set, boolean valueNamed, List<String> patterns) {

  /** Returns the rule for an override. */
  static AppliedRule of(String domain, List<DescriptorEntry> entries, LimitOverride override) {
    var limit = new Limit(override.requestsPerUnit(), override.unit(), Algorithm.FIXED_WINDOW);
    RuleLimit set = RuleLimit.of(limit);
    var rule = new Rule("", "", set, Set.of(), Map.of(), List.of());
    return new AppliedRule(-1, overrideName(domain, entries), rule, set, false, List.of());
  }

  /** Returns the limit; null if the rule is unlimited. */
  public @Nullable Limit limit() {
    return set.limit();
  }

  /** Returns whether the rule is unlimited. */
  public boolean isUnlimited() {
    return set.limit() == null;
  }

  /** Returns the limit for an answer; null if the rule is unlimited. */
  public @Nullable CurrentLimit currentLimit() {
    Limit limit = set.limit();
    return limit == null
        ? null
        : new CurrentLimit(limit.requestsPerUnit(), limit.unit(), set.name());
  }

  /** Returns the name by which other rules replace this one; empty if none can. */
  public String label() {
    return set.name();
  }

  /** Returns the labels of the rules that this one replaces in a request. */
  public List<String> replaces() {
    return set.replaces();
  }

  /** Returns whether exceeding the limit is counted but answered OK. */
  public boolean isShadow() {
    return has(Rule.Flag.SHADOW_MODE);
  }

  /** Returns whether a request is over only if all its rules in quota mode are over. */
  public boolean isQuota() {
    return has(Rule.Flag.QUOTA_MODE);
  }

  /** Returns whether the name of the statistics depends on the descriptor. */
  public boolean isNamed() {
    return valueNamed || isDetailed();
  }

  /** Returns the dynamic metadata for a request that passed. */
  public Map<String, Object> metadata() {
    return rule.metadata();
  }

  boolean isDetailed() {
    return has(Rule.Flag.DETAILED_METRIC);
  }

  /** Returns whether values of some entry share a counter. */
  boolean isShared() {
    return !patterns.isEmpty();
  }

  /** Returns the rule as the Envoy rate-limit service prints it, with our additions. */
  String line() {
    Limit limit = set.limit();
    String modes = ", shadow_mode: " + isShadow() + ", quota_mode: " + isQuota();
    if (limit == null) {
      return name + ": unit=UNKNOWN requests_per_unit=0" + modes + ", unlimited: true";
    }
    String sets = ": unit=" + limit.unit() + " requests_per_unit=" + limit.requestsPerUnit();
    return name
        + sets
        + modes
        + (limit.algorithm() == Algorithm.FIXED_WINDOW
            ? ""
            : ", algorithm: " + limit.algorithm().label());
  }

  private boolean has(Rule.Flag flag) {
    return rule.flags().contains(flag);
  }

  private static String overrideName(String domain, List<DescriptorEntry> entries) {
    var name = new StringBuilder(domain);
    for (DescriptorEntry entry : entries) {
      name.append('.').append(entry.key());
      if (!entry.value().isEmpty()) {
        name.append('_').append(entry.value());
      }
    }
    return name.toString();
  }
}
