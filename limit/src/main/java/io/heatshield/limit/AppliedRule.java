package io.heatshield.limit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A limit as it applies to a descriptor: one of the rules, compiled, or the caller's own. */
final class AppliedRule {
  /** The place of the rule among all of its set, or -1 for one whose counts go by another name. */
  final int index;

  final String name;
  final @Nullable Limit limit;
  final @Nullable CurrentLimit current;
  final boolean shadow;
  final boolean quota;
  final boolean detailed;
  final boolean named;
  final String label;
  final List<String> replaces;
  final Map<String, Object> metadata;

  /** The way to the rule; null for one that a caller brings. */
  final @Nullable RulePath path;

  /**
   * Compiles a rule.
   *
   * @param named whether the names of its counts hold values of the descriptor
   */
  AppliedRule(int index, String name, Rule rule, RuleLimit set, boolean named, RulePath path) {
    this.index = index;
    this.name = name;
    this.limit = set.limit();
    this.current = current(set.limit(), set.name());
    this.shadow = rule.flags().contains(Rule.Flag.SHADOW_MODE);
    this.quota = rule.flags().contains(Rule.Flag.QUOTA_MODE);
    this.detailed = rule.flags().contains(Rule.Flag.DETAILED_METRIC);
    this.named = named || detailed;
    this.label = set.name();
    this.replaces = set.replaces();
    this.metadata = rule.metadata();
    this.path = path;
  }

  /** Makes a rule of the limit that a caller brings. */
  AppliedRule(String domain, List<Entry> entries, LimitOverride override) {
    this.index = -1;
    this.name = overrideName(domain, entries);
    this.limit = new Limit(override.requestsPerUnit(), override.unit(), Algorithm.FIXED_WINDOW);
    this.current = current(limit, "");
    this.shadow = false;
    this.quota = false;
    this.detailed = false;
    this.named = false;
    this.label = "";
    this.replaces = List.of();
    this.metadata = Map.of();
    this.path = null;
  }

  boolean isUnlimited() {
    return limit == null;
  }

  /** Returns whether values of some entry share a counter. */
  boolean isShared() {
    return path != null && path.shared != null;
  }

  /** Returns the line that the Envoy rate-limit service has for the rule, and what is new here. */
  String line() {
    String modes = ", shadow_mode: " + shadow + ", quota_mode: " + quota;
    if (limit == null) {
      return name + ": unit=UNKNOWN requests_per_unit=0" + modes + ", unlimited: true";
    }
    String set = ": unit=" + limit.unit() + " requests_per_unit=" + limit.requestsPerUnit();
    return name
        + set
        + modes
        + (limit.algorithm() == Algorithm.FIXED_WINDOW
            ? ""
            : ", algorithm: " + limit.algorithm().label());
  }

  private static @Nullable CurrentLimit current(@Nullable Limit limit, String name) {
    return limit == null ? null : new CurrentLimit(limit.requestsPerUnit(), limit.unit(), name);
  }

  private static String overrideName(String domain, List<Entry> entries) {
    var name = new StringBuilder(domain);
    for (Entry entry : entries) {
      name.append('.').append(entry.key());
      if (!entry.value().isEmpty()) {
        name.append('_').append(entry.value());
      }
    }
    return name.toString();
  }
}
