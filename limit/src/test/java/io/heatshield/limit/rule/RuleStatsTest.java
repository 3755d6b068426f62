package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.limit.FakeClock;
import io.heatshield.limit.Rules;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The names under which hits are counted, and the bound of their number. */
class RuleStatsTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: plain
          rate_limit: { unit: minute, requests_per_unit: 9 }
        - key: detailed
          detailed_metric: true
          rate_limit: { unit: minute, requests_per_unit: 9 }
        - key: outer
          descriptors:
            - key: inner
              detailed_metric: true
              rate_limit: { unit: minute, requests_per_unit: 9 }
        - key: tenant
          value_to_metric: true
          descriptors:
            - key: user
              rate_limit: { unit: minute, requests_per_unit: 9 }
        - key: route
          value: /v1/*
          value_to_metric: true
          rate_limit: { unit: minute, requests_per_unit: 9 }
        - key: shared
          value: a*
          share_threshold: true
          detailed_metric: true
          rate_limit: { unit: minute, requests_per_unit: 9 }
      """;

  private final FakeClock clock = new FakeClock();

  @Test
  void of_ruleWithoutMetricSettings_isTheRulesName() {
    assertThat(counted("plain=x", "plain=y")).containsExactly("d.plain 2");
  }

  @Test
  void of_detailedMetric_hasAllKeysAndValuesOfTheDescriptor() {
    assertThat(counted("detailed=x", "detailed=y", "detailed=y", "outer=1,inner=2"))
        .containsExactly("d.detailed_x 1", "d.detailed_y 2", "d.outer_1.inner_2 1");
  }

  @Test
  void of_valueToMetric_hasOnlyTheValueOfItsLevel() {
    assertThat(counted("tenant=t1,user=u1", "tenant=t1,user=u2", "tenant=t2,user=u1"))
        .containsExactly("d.tenant_t1.user 2", "d.tenant_t2.user 1");
  }

  @Test
  void of_valueToMetricOfAWildcard_hasTheMatchedValue() {
    assertThat(counted("route=/v1/a", "route=/v1/b"))
        .containsExactly("d.route_/v1/a 1", "d.route_/v1/b 1");
  }

  @Test
  void of_sharedWildcard_isThePatternForEveryValue() {
    assertThat(counted("shared=a1", "shared=a2")).containsExactly("d.shared_a* 2");
  }

  @Test
  void of_moreNamesThanAllowed_areOtherAndLoseNoHit() {
    RuleLimiter limiter = limiter(8);

    IntStream.range(0, 100).forEach(i -> ask(limiter, "detailed=" + i));
    ask(limiter, "plain=x");

    var all = limiter.ruleStats().all();
    assertThat(all).hasSize(9).containsKey(RuleStats.OTHER);
    assertThat(all.values().stream().mapToLong(RuleCounts::total).sum()).isEqualTo(101);
    assertThat(counts(all, "d.plain").total()).isEqualTo(1);
    assertThat(counts(all, RuleStats.OTHER).total()).isEqualTo(98);
  }

  @Test
  void of_nameThatIsOther_isCountedThere() {
    var stats = new RuleStats(2);

    stats.of(RuleStats.OTHER).within.add(3);

    assertThat(stats.all()).containsOnlyKeys(RuleStats.OTHER);
    assertThat(counts(stats.all(), RuleStats.OTHER).total()).isEqualTo(3);
  }

  @Test
  void new_withoutRoomForANameOrLess_isRejected() {
    assertThatThrownBy(() -> new RuleStats(0)).hasMessage("maxNames must be at least 1: 0");
  }

  /** Asks about each descriptor and returns the names that counted, with their totals. */
  private List<String> counted(String... descriptors) {
    RuleLimiter limiter = limiter(100);
    List.of(descriptors).forEach(descriptor -> ask(limiter, descriptor));
    var all = new TreeMap<>(limiter.ruleStats().all());
    all.values().removeIf(counts -> counts.total() == 0);
    return all.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue().total())
        .toList();
  }

  private RuleLimiter limiter(int maxNames) {
    return RuleLimiter.over(new MemoryCounters(1_000, clock))
        .clockMillis(clock)
        .rules(Rules.of(RULES))
        .maxRuleNames(maxNames)
        .build();
  }

  private static void ask(RuleLimiter limiter, String descriptor) {
    Rules.now(limiter.decide(Rules.request("d", descriptor)));
  }

  private static RuleCounts counts(Map<String, RuleCounts> all, String rule) {
    return Objects.requireNonNull(all.get(rule), rule);
  }
}
