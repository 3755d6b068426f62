package io.heatshield.limit.limiter;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterKeys;
import io.heatshield.limit.rule.AppliedRule;
import io.heatshield.limit.rule.DomainRules;
import io.heatshield.limit.rule.RulePath;
import io.heatshield.limit.rule.RuleSet;
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
      live[rule.index()] = new LiveRule(rule, stats.of(rule.name()), keys);
    }
  }

  /** Returns the counts that a descriptor adds to. */
  RuleCounts counts(DomainRules domain, AppliedRule rule, Descriptor descriptor) {
    if (rule.index() >= 0 && !rule.isNamed()) {
      return live[rule.index()].counts;
    }
    return stats.of(rule.isNamed() ? domain.countsName(rule, descriptor.entries()) : rule.name());
  }

  /** Returns the name of the counter that a descriptor adds to. */
  CounterKey key(String domain, Descriptor descriptor, AppliedRule rule, Limit limit) {
    List<DescriptorEntry> entries = descriptor.entries();
    RulePath path = rule.path();
    CounterKey key = rule.index() < 0 ? null : live[rule.index()].key(entries);
    return key == null
        ? keys.key(domain, entries, path == null ? null : path.shared(), limit)
        : key;
  }

  /**
   * A rule in the use of one limiter: with the counts of its hits, and with the names of its
   * counters as far as the rule alone tells them; immutable but for the counts.
   */
  private static final class LiveRule {
    final RuleCounts counts;
    private final @Nullable RulePath path;
    private final @Nullable CounterKey only;
    private final CounterKeys.@Nullable Prefix prefix;

    LiveRule(AppliedRule rule, RuleCounts counts, CounterKeys keys) {
      this.counts = counts;
      Limit limit = rule.limit();
      RulePath way = rule.path();
      if (limit == null || way == null || way.isOpenBefore()) {
        path = null;
        only = null;
        prefix = null;
      } else {
        path = way;
        only = way.isOpen() ? null : keys.key(way.domain(), way.entries(), way.shared(), limit);
        prefix = keys.prefix(way.domain(), way.entries(), way.shared(), limit);
      }
    }

    /**
     * Returns the name of the rule's counter for a path that led to it, or null if it cannot tell.
     */
    @Nullable CounterKey key(List<DescriptorEntry> entries) {
      if (path == null || prefix == null || !path.fits(entries)) {
        return null;
      }
      return only == null ? prefix.key(entries.get(entries.size() - 1).value()) : only;
    }
  }
}
