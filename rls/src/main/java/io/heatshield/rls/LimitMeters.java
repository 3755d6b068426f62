package io.heatshield.rls;

import io.heatshield.key.KeyText;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.RuleCounts;
import io.heatshield.limit.rule.RuleStats;
import io.heatshield.runtime.metrics.Metrics;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Registers the meters of the rate limits; those of a rule once it has been counted. */
final class LimitMeters {
  private final Metrics metrics;
  private final RuleStats rules;
  private final Set<String> shown = new HashSet<>();

  LimitMeters(Metrics metrics, LimitService service, RuleFolder folder, MemoryCounters counters) {
    this.metrics = metrics;
    this.rules = service.limiter().ruleStats();
    answers(service);
    metrics.counter("limit.config.load.success", "Successful loads of the rules", folder::loads);
    metrics.counter(
        "limit.config.load.error",
        "Loads of the rules that failed because of an error",
        folder::errors);
    metrics.gauge("limit.counters", "Counters in memory", counters::size);
    metrics.gauge(
        "limit.counters.max", "Maximum number of counters in memory", counters::maxCounters);
    metrics.counter(
        "limit.counters.refused",
        "Counters rejected because the memory was full",
        counters::refused);
  }

  /** Registers the rules that were counted for the first time since the last call. */
  synchronized void refresh() {
    rules
        .all()
        .forEach(
            (name, counts) -> {
              if (shown.add(name)) {
                rule(KeyText.of(name), counts);
              }
            });
  }

  private void answers(LimitService service) {
    metrics.counter(
        "limit.answers", "Calls answered, by verdict", service::okAnswers, "code", "ok");
    metrics.counter(
        "limit.answers",
        "Calls answered, by verdict",
        service::overLimitAnswers,
        "code",
        "over_limit");
    for (LimitFailure.Kind kind : LimitFailure.Kind.values()) {
      metrics.counter(
          "limit.failures",
          "Calls that failed, by reason",
          () -> service.failures(kind),
          "reason",
          kind.name().toLowerCase(Locale.ROOT));
    }
    metrics.counter(
        "limit.shadowed",
        "Calls over limit that the global shadow mode admitted",
        () -> service.limiter().stats().shadowed());
    metrics.counter(
        "limit.unknown.domains",
        "Calls for a domain without rules",
        () -> service.limiter().stats().unknownDomains());
    metrics.latency(
        "limit_answer_seconds", "Latency of calls, inside the server", service.latency());
  }

  private void rule(String name, RuleCounts counts) {
    metrics.counter("limit.rule.hits", "Hits checked by a rule", counts::total, "rule", name);
    metrics.counter(
        "limit.rule.within", "Hits within the limit of a rule", counts::within, "rule", name);
    metrics.counter("limit.rule.near", "Hits near the limit of a rule", counts::near, "rule", name);
    metrics.counter("limit.rule.over", "Hits over the limit of a rule", counts::over, "rule", name);
    metrics.counter(
        "limit.rule.over.local.cache",
        "Hits over the limit of a rule, answered without the backend",
        counts::overByLocalCache,
        "rule",
        name);
    metrics.counter(
        "limit.rule.shadow",
        "Hits over limit that the shadow mode of a rule admitted",
        counts::shadow,
        "rule",
        name);
  }
}
