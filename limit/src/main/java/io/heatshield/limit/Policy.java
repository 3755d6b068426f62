package io.heatshield.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules and options that one request is answered by, whole; immutable but for the counts. */
final class Policy {
  final RuleSet rules;
  final LimiterOptions options;
  private final RuleStats stats;
  private final CounterKeys keys;
  private final LiveRule[] live;

  Policy(RuleSet rules, LimiterOptions options, RuleStats stats, CounterKeys keys) {
    this.rules = rules;
    this.options = options;
    this.stats = stats;
    this.keys = keys;
    List<AppliedRule> all = rules.rules();
    live = new LiveRule[all.size()];
    for (AppliedRule rule : all) {
      live[rule.index] = new LiveRule(rule, stats.of(rule.name), keys);
    }
  }

  /** Returns the limit that applies to a descriptor, or null. */
  static @Nullable AppliedRule find(DomainRules domain, String name, Descriptor descriptor) {
    LimitOverride override = descriptor.override();
    return override == null
        ? domain.find(descriptor.entries())
        : new AppliedRule(name, descriptor.entries(), override);
  }

  /** Returns the counts that a descriptor adds to. */
  RuleCounts counts(DomainRules domain, AppliedRule rule, Descriptor descriptor) {
    if (rule.index >= 0 && !rule.named) {
      return live[rule.index].counts;
    }
    return stats.of(rule.named ? domain.countsName(rule, descriptor.entries()) : rule.name);
  }

  /** Returns the name of the counter that a descriptor adds to. */
  CounterKey key(String domain, Descriptor descriptor, AppliedRule rule, Limit limit) {
    List<Entry> entries = descriptor.entries();
    CounterKey key = rule.index < 0 ? null : live[rule.index].key(entries);
    return key == null
        ? keys.key(domain, entries, rule.path == null ? null : rule.path.shared, limit)
        : key;
  }
}
