package io.heatshield.limit.limiter;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterKeys;
import io.heatshield.limit.rule.AppliedRule;
import io.heatshield.limit.rule.DomainRules;
import io.heatshield.limit.rule.RuleSet;

/** The rules and options of one request. Immutable except for the counts. */
final class Policy {
  final RuleSet rules;
  final LimiterOptions options;
  private final RuleStats stats;
  private final CounterKeys keys;

  /** The counts of each rule, at its index. */
  private final RuleCounts[] counts;

  Policy(RuleSet rules, LimiterOptions options, RuleStats stats, CounterKeys keys) {
    this.rules = rules;
    this.options = options;
    this.stats = stats;
    this.keys = keys;
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
    return keys.key(domain, descriptor.entries(), rule.patterns(), limit);
  }
}
