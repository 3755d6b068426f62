package io.heatshield.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules and options that one request is answered by, whole; immutable but for the counts. */
final class Policy {
  final RuleSet rules;
  final LimiterOptions options;
  private final RuleStats stats;
  private final RuleCounts[] counts;

  Policy(RuleSet rules, LimiterOptions options, RuleStats stats) {
    this.rules = rules;
    this.options = options;
    this.stats = stats;
    List<AppliedRule> all = rules.rules();
    counts = new RuleCounts[all.size()];
    for (AppliedRule rule : all) {
      counts[rule.index] = stats.of(rule.name);
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
      return counts[rule.index];
    }
    return stats.of(rule.named ? domain.countsName(rule, descriptor.entries()) : rule.name);
  }
}
