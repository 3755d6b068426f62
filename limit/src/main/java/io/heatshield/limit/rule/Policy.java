package io.heatshield.limit.rule;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.CounterKey;

/** The rules and options of one request. Immutable except for the counts. */
final class Policy {
  final RuleSet rules;
  final LimiterOptions options;
  private final RuleStats stats;

  /** The counts of each rule, at its index. */
  private final RuleCounts[] counts;

  Policy(RuleSet rules, LimiterOptions options, RuleStats stats) {
    this.rules = rules;
    this.options = options;
    this.stats = stats;
    this.counts =
        rules.rules().stream().map(rule -> stats.of(rule.name())).toArray(RuleCounts[]::new);
  }

  /** Returns the statistics of a descriptor. */
  RuleCounts counts(DomainRules domain, AppliedRule rule, Descriptor descriptor) {
    if (rule.isNamed()) {
      return stats.of(domain.countsName(rule, descriptor.entries()));
    }
    return rule.index() < 0 ? stats.of(rule.name()) : counts[rule.index()];
  }

  /** Returns the key of a descriptor's counter. */
  CounterKey key(String domain, Descriptor descriptor, AppliedRule rule, Limit limit) {
    return CounterKey.of(domain, descriptor.entries(), rule.patterns(), limit);
  }
}
