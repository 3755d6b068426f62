package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Corners in which a verdict could differ from that of the Envoy rate-limit service. */
class MovedVerdictsTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: ten
          rate_limit: { unit: hour, requests_per_unit: 10 }
        - key: one
          rate_limit: { unit: minute, requests_per_unit: 1, name: ones }
        - key: banned
          rate_limit: { unit: minute, requests_per_unit: 0, name: bans }
        - key: two
          rate_limit: { unit: minute, requests_per_unit: 2, name: twos, replaces: [ { name: ones } ] }
        - key: four
          rate_limit:
            unit: minute
            requests_per_unit: 4
            replaces: [ { name: twos }, { name: bans } ]
        - key: shadow
          shadow_mode: true
          rate_limit: { unit: minute, requests_per_unit: 5 }
        - key: quota
          quota_mode: true
          rate_limit: { unit: minute, requests_per_unit: 1 }
        - key: fifteen
          rate_limit: { unit: hour, requests_per_unit: 15 }
        - key: fourteen
          rate_limit: { unit: hour, requests_per_unit: 14 }
      """;

  private final FakeClock clock = new FakeClock();
  private final ScriptedBackend backend = new ScriptedBackend();
  private final RuleLimiter limiter = limiter(new MemoryCounters(1_000, clock));
  private final RuleLimiter scripted = limiter(backend);

  @Test
  void decide_descriptorWithoutEntries_isOkWithoutLimit() {
    LimitRequest request =
        new LimitRequest("d", List.of(Descriptor.of(), Rules.descriptor("ten=x")), 0);

    assertThat(now(limiter.decide(new LimitRequest("d", List.of(Descriptor.of()), 0))).statuses())
        .containsExactly(DescriptorStatus.NO_LIMIT);
    assertThat(now(limiter.decide(request)).statuses())
        .extracting(DescriptorStatus::remaining)
        .containsExactly(0L, 9L);
  }

  @Test
  void decide_overrideWithoutEntries_appliesToItsDomain() {
    var own = override("", 1, LimitUnit.DAY);

    assertThat(ask(own).overLimit()).isFalse();
    assertThat(ask(own).overLimit()).isTrue();
    assertThat(now(limiter.decide(new LimitRequest("other", List.of(own), 0))).statuses())
        .containsExactly(DescriptorStatus.NO_LIMIT);
  }

  @Test
  void decide_overrideOfAShadowRule_isOver() {
    var own = override("shadow=x", 1, LimitUnit.MINUTE);

    assertThat(ask(own).overLimit()).isFalse();
    assertThat(ask(own).overLimit()).isTrue();
    assertThat(limiter.ruleStats().of("d.shadow_x").shadow()).isZero();
  }

  @Test
  void decide_overrideOfTheSameUnit_usesTheRulesCounter() {
    ask(Rules.descriptor("ten=x", 4));

    assertThat(ask(override("ten=x", 20, LimitUnit.HOUR)).statuses().get(0).remaining())
        .isEqualTo(15);
    assertThat(ask(override("ten=x", 20, LimitUnit.DAY)).statuses().get(0).remaining())
        .isEqualTo(19);
    assertThat(limiter.ruleStats().of("d.ten_x").total()).isEqualTo(2);
  }

  @Test
  void decide_sameDescriptorTwice_countsBoth() {
    assertThat(decide("ten=x", "ten=x").statuses())
        .extracting(DescriptorStatus::remaining)
        .containsExactly(9L, 8L);
  }

  @Test
  void decide_descriptorsWithOwnHits_areCountedSeparately() {
    LimitRequest request =
        new LimitRequest(
            "d",
            List.of(
                Rules.descriptor("ten=x", 3),
                Rules.descriptor("fifteen=x", 0),
                Rules.descriptor("fourteen=x")),
            5);

    assertThat(now(limiter.decide(request)).statuses())
        .extracting(DescriptorStatus::remaining)
        .containsExactly(7L, 15L, 9L);
  }

  @Test
  void decide_zeroHitsOnACounterThatIsOver_isOverAndCountsNothing() {
    CompletionStage<LimitAnswer> stage =
        scripted.decide(new LimitRequest("d", List.of(Rules.descriptor("ten=x", 0)), 0));
    backend.complete(11);

    assertThat(now(stage).overLimit()).isTrue();
    RuleCounts counts = scripted.ruleStats().of("d.ten");
    assertThat(List.of(counts.total(), counts.over(), counts.near(), counts.within()))
        .containsOnly(0L);
  }

  @Test
  void decide_replacedByOneThatIsReplacedItself_doesNotApplyEither() {
    assertThat(decide("one=x", "two=x", "four=x").statuses())
        .extracting(DescriptorStatus::remaining)
        .containsExactly(0L, 0L, 3L);

    assertThat(decide("one=x").statuses().get(0))
        .isEqualTo(
            new DescriptorStatus(false, new CurrentLimit(1, LimitUnit.MINUTE, "ones"), 0, 60));
    assertThat(decide("two=x").statuses().get(0).remaining()).isEqualTo(1);
  }

  @Test
  void decide_banThatIsReplaced_isOkUpToTheOtherLimit() {
    assertThat(decide("banned=x", "two=x").overLimit()).isTrue();
    for (int i = 0; i < 4; i++) {
      assertThat(decide("banned=x", "four=x").overLimit()).isFalse();
    }

    assertThat(decide("banned=x", "four=x").overLimit()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 5, 0, 0, 1, 1",
    "1, 6, 1, 1, 0, 0",
    "5, 7, 2, 2, 1, 0",
    "2, 9, 2, 2, 0, 0",
    "4, 6, 1, 1, 1, 0",
  })
  void decide_shadowRule_countsWhatItWouldHaveRefused(
      long hits, long count, long shadows, long overs, long nears, long withins) {
    CompletionStage<LimitAnswer> stage =
        scripted.decide(new LimitRequest("d", List.of(Rules.descriptor("shadow=x", hits)), 0));
    backend.complete(count);

    assertThat(now(stage).overLimit()).isFalse();
    RuleCounts counts = scripted.ruleStats().of("d.shadow");
    assertThat(List.of(counts.shadow(), counts.over(), counts.near(), counts.within()))
        .containsExactly(shadows, overs, nears, withins);
    assertThat(counts.total()).isEqualTo(hits);
  }

  @Test
  void decide_shadowRuleWithAPlainRule_doesNotChangeItsVerdict() {
    CompletionStage<LimitAnswer> stage = scripted.decide(Rules.request("d", "shadow=x", "ten=x"));
    backend.complete(6, 11);

    assertThat(now(stage).overLimit()).isTrue();
    assertThat(now(stage).statuses())
        .extracting(DescriptorStatus::overLimit)
        .containsExactly(false, true);
  }

  @Test
  void decide_quotaRuleInGlobalShadow_isOkAndCountedOnce() {
    limiter.options(new LimiterOptions(0.8f, true, false, false, false, false));

    assertThat(decide("quota=x", "banned=x").overLimit()).isFalse();
    assertThat(decide("quota=x").overLimit()).isFalse();

    assertThat(limiter.stats().shadowed()).isEqualTo(2);
  }

  @Test
  void decide_globalQuotaAndADescriptorWithoutLimit_isOk() {
    limiter.options(new LimiterOptions(0.8f, false, true, false, false, false));

    assertThat(decide("banned=x", "unknown=x").overLimit()).isFalse();
    assertThat(decide("banned=x").overLimit()).isTrue();
  }

  @Test
  void decide_stopIncrement_countsStatisticsAsIfAllHadBeenAdded() {
    scripted.options(new LimiterOptions(0.8f, false, false, false, false, true));

    askBoth(1, new long[] {10, 10}, new long[] {11, 11});
    askBoth(2, new long[] {11, 11}, new long[] {13, 13});
    LimitAnswer last = askBoth(2, new long[] {13, 13}, new long[] {13, 15});

    assertThat(last.statuses())
        .extracting(DescriptorStatus::overLimit)
        .containsExactly(false, true);
    assertThat(last.statuses().get(0).remaining()).isEqualTo(2);
    RuleCounts first = scripted.ruleStats().of("d.fifteen");
    RuleCounts second = scripted.ruleStats().of("d.fourteen");
    assertThat(List.of(first.total(), first.over(), first.near(), first.within()))
        .containsExactly(5L, 0L, 2L, 5L);
    assertThat(List.of(second.total(), second.over(), second.near(), second.within()))
        .containsExactly(5L, 1L, 3L, 3L);
  }

  @ParameterizedTest
  @CsvSource({
    "SECOND, 1714825815, 1714825815, 1",
    "MINUTE, 1714825815, 1714825800, 45",
    "MINUTE, 2222, 2220, 58",
    "HOUR, 1714825815, 1714824000, 1785",
    "HOUR, 1714827599, 1714824000, 1",
    "HOUR, 1000000, 997200, 800",
    "DAY, 1000000, 950400, 36800",
    "WEEK, 1000000, 604800, 209600",
    "MONTH, 1000000, 0, 1592000",
    "MONTH, 2592000, 2592000, 2592000",
    "YEAR, 1000000, 0, 30536000",
  })
  void window_ofAMoment_beginsAtAMultipleOfTheUnit(LimitUnit unit, long now, long start, int left) {
    assertThat(unit.window(now * 1000) * unit.seconds()).isEqualTo(start);
    assertThat(unit.secondsLeft(now * 1000)).isEqualTo(left);
  }

  private LimitAnswer askBoth(long hits, long[] looked, long[] counted) {
    CompletionStage<LimitAnswer> stage =
        scripted.decide(
            new LimitRequest(
                "d",
                List.of(Rules.descriptor("fifteen=x", hits), Rules.descriptor("fourteen=x", hits)),
                0));
    backend.complete(looked);
    backend.complete(counted);
    return now(stage);
  }

  private RuleLimiter limiter(CounterBackend counters) {
    return RuleLimiter.over(counters).clockMillis(clock).rules(Rules.of(RULES)).build();
  }

  private LimitAnswer decide(String... descriptors) {
    return now(limiter.decide(Rules.request("d", descriptors)));
  }

  private LimitAnswer ask(Descriptor descriptor) {
    return now(limiter.decide(new LimitRequest("d", List.of(descriptor), 0)));
  }

  private static Descriptor override(String entries, long requests, LimitUnit unit) {
    return new Descriptor(
        entries.isEmpty() ? List.of() : Rules.entries(entries),
        new LimitOverride(requests, unit),
        OptionalLong.empty());
  }

  private static LimitAnswer now(CompletionStage<LimitAnswer> stage) {
    return Rules.now(stage);
  }
}
