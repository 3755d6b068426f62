package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Requests of one and of many descriptors, on the memory backend and on one that answers later. */
class RuleLimiterTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: two
          rate_limit: { unit: minute, requests_per_unit: 2 }
        - key: ten
          rate_limit: { unit: hour, requests_per_unit: 10, name: tens }
        - key: none
          rate_limit: { unit: second, requests_per_unit: 0 }
        - key: free
          rate_limit: { unlimited: true, replaces: [ { name: tens } ] }
        - key: instead
          rate_limit: { unit: day, requests_per_unit: 100, name: hundreds, replaces: [ { name: tens } ] }
        - key: shadow
          shadow_mode: true
          rate_limit: { unit: minute, requests_per_unit: 1 }
        - key: shared
          value: "a*"
          share_threshold: true
          rate_limit: { unit: minute, requests_per_unit: 2 }
        - key: allowed
      """;

  private final FakeClock clock = new FakeClock();
  private final MemoryCounters memory = new MemoryCounters(1000, clock);
  private final RuleLimiter limiter = builder(memory).build();

  @Test
  void decide_upToTheLimit_isOkAndThenOver() {
    List<DescriptorStatus> statuses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      statuses.addAll(decide("two=x").statuses());
    }

    assertThat(statuses)
        .extracting(DescriptorStatus::overLimit)
        .containsExactly(false, false, true);
    assertThat(statuses).extracting(DescriptorStatus::remaining).containsExactly(1L, 0L, 0L);
    assertThat(decide("two=y").overLimit()).isFalse();
    clock.move(60_000);
    assertThat(decide("two=x").overLimit()).isFalse();
  }

  @Test
  void decide_noMatchWhitelistOrUnknownDomain_isOkWithoutLimit() {
    assertThat(decide("unknown=x").statuses()).containsExactly(DescriptorStatus.NO_LIMIT);
    assertThat(decide("allowed=x").statuses()).containsExactly(DescriptorStatus.NO_LIMIT);
    assertThat(Rules.now(limiter.decide(Rules.request("other", "two=x", "two=x"))).statuses())
        .containsExactly(DescriptorStatus.NO_LIMIT, DescriptorStatus.NO_LIMIT);
    assertThat(limiter.stats().unknownDomains()).isEqualTo(2);
    assertThat(memory.size()).isZero();
  }

  @Test
  void decide_limitZero_isAlwaysOver() {
    assertThat(decide("none=x").overLimit()).isTrue();
    clock.move(1000);
    assertThat(decide("none=x").overLimit()).isTrue();
  }

  @Test
  void decide_severalDescriptors_countsAllEvenIfOneIsOver() {
    decide("two=x");
    decide("two=x");

    LimitAnswer answer = decide("two=x", "ten=x");

    assertThat(answer.overLimit()).isTrue();
    assertThat(answer.statuses())
        .extracting(DescriptorStatus::overLimit)
        .containsExactly(true, false);
    assertThat(decide("ten=x").statuses().get(0).remaining()).isEqualTo(8);
  }

  @Test
  void decide_hits_areOfTheDescriptorOrTheRequestOrOne() {
    ask(3, Rules.descriptor("ten=x"));
    ask(3, Rules.descriptor("ten=x", 2));
    ask(3, Rules.descriptor("ten=x", 0));
    LimitAnswer answer = ask(0, Rules.descriptor("ten=x"));

    assertThat(answer.statuses().get(0).remaining()).isEqualTo(10 - 3 - 2 - 0 - 1);
  }

  @Test
  void decide_maximumHits_isOverAndStaysOver() {
    assertThat(ask(LimitRequest.MAX_UINT32, Rules.descriptor("ten=x")).overLimit()).isTrue();
    assertThat(ask(0, Rules.descriptor("ten=x", Long.MAX_VALUE)).overLimit()).isTrue();
    assertThat(ask(LimitRequest.MAX_UINT32, Rules.descriptor("ten=x")).overLimit()).isTrue();
  }

  @Test
  void decide_unlimited_hasAllRemainingAndNoCounter() {
    assertThat(decide("free=x").statuses()).containsExactly(DescriptorStatus.UNLIMITED);
    assertThat(decide("free=x", "free=y").statuses())
        .containsExactly(DescriptorStatus.UNLIMITED, DescriptorStatus.UNLIMITED);
    assertThat(DescriptorStatus.UNLIMITED.remaining()).isEqualTo(4_294_967_295L);
    assertThat(memory.size()).isZero();
  }

  @Test
  void decide_replacedRule_doesNotApply() {
    LimitAnswer replaced = decide("ten=x", "instead=x");
    LimitAnswer freed = decide("ten=x", "free=x");

    assertThat(replaced.statuses().get(0)).isEqualTo(DescriptorStatus.NO_LIMIT);
    assertThat(replaced.statuses().get(1).remaining()).isEqualTo(99);
    assertThat(freed.statuses())
        .containsExactly(DescriptorStatus.NO_LIMIT, DescriptorStatus.UNLIMITED);
    assertThat(decide("ten=x").statuses().get(0).remaining()).isEqualTo(9);
  }

  @Test
  void decide_shadowRuleThatIsOver_isOkAndCounted() {
    decide("shadow=x");
    LimitAnswer answer = decide("shadow=x");

    assertThat(answer.overLimit()).isFalse();
    assertThat(answer.statuses().get(0).remaining()).isZero();
    RuleCounts counts = limiter.ruleStats().of("d.shadow");
    assertThat(List.of(counts.over(), counts.shadow(), counts.within()))
        .containsExactly(1L, 1L, 1L);
  }

  @Test
  void decide_globalShadow_isOkOverallAndOverPerDescriptor() {
    limiter.options(new LimiterOptions(0.8f, true, false, false, false, false));

    LimitAnswer one = decide("none=x");
    LimitAnswer two = decide("none=x", "ten=x");

    assertThat(one.overLimit()).isFalse();
    assertThat(two.overLimit()).isFalse();
    assertThat(one.statuses().get(0).overLimit()).isTrue();
    assertThat(limiter.stats().shadowed()).isEqualTo(2);
  }

  @Test
  void decide_sharedWildcard_countsAllItsValuesAsOne() {
    decide("shared=a1");
    decide("shared=a2");

    assertThat(decide("shared=a3").overLimit()).isTrue();
    assertThat(decide("shared=b1").statuses()).containsExactly(DescriptorStatus.NO_LIMIT);
  }

  @Test
  void decide_override_replacesTheRuleAndKeepsItsOwnCount() {
    var override = new LimitOverride(1, LimitUnit.SECOND);
    var own = new Descriptor(Rules.entries("ten=x"), override, OptionalLong.empty());
    var unmatched = new Descriptor(Rules.entries("any=x"), override, OptionalLong.empty());

    assertThat(ask(0, own).statuses().get(0))
        .isEqualTo(new DescriptorStatus(false, new CurrentLimit(1, LimitUnit.SECOND, ""), 0, 1));
    assertThat(ask(0, own).overLimit()).isTrue();
    assertThat(ask(0, unmatched).overLimit()).isFalse();
    assertThat(ask(0, unmatched).overLimit()).isTrue();
    assertThat(decide("ten=x").statuses().get(0).remaining()).isEqualTo(9);
    assertThat(limiter.ruleStats().of("d.ten_x").total()).isEqualTo(2);
  }

  @Test
  void decide_backendAnswersLater_completesWithTheLastCount() {
    var backend = new ScriptedBackend();
    RuleLimiter later = builder(backend).build();

    CompletionStage<LimitAnswer> stage =
        later.decide(Rules.request("d", "two=x", "allowed=x", "ten=x"));
    assertThat(backend.asked).extracting(ScriptedBackend.Asked::hits).containsExactly(1L, 1L);
    backend.complete(1);
    assertThat(stage.toCompletableFuture()).isNotDone();
    backend.complete(11);

    assertThat(Rules.now(stage).overLimit()).isTrue();
    assertThat(Rules.now(stage).statuses())
        .extracting(DescriptorStatus::remaining)
        .containsExactly(1L, 0L, 0L);
  }

  @Test
  void decide_backendFails_failsOnceWithItsReason() {
    var backend = new ScriptedBackend();
    RuleLimiter later = builder(backend).build();

    CompletionStage<LimitAnswer> stage = later.decide(Rules.request("d", "two=x", "ten=x"));
    backend.fail("gone");
    backend.complete(1);

    assertFailed(stage, "gone");
    assertThat(later.stats().failures()).isEqualTo(1);
    assertThat(later.ruleStats().of("d.two").total()).isEqualTo(1);
    assertThat(later.ruleStats().of("d.ten").total()).isEqualTo(1);
  }

  @Test
  void decide_backendThrows_failsWithANamedReason() {
    RuleLimiter broken =
        builder(
                (key, limit, hits, now, sink, slot) -> {
                  throw new IllegalStateException("secret");
                })
            .build();

    assertFailed(broken.decide(Rules.request("d", "two=x")), "the counter backend failed");
  }

  @Test
  void decide_memoryIsFull_failsForNewKeysOnly() {
    RuleLimiter small = builder(new MemoryCounters(1, clock)).build();
    Rules.now(small.decide(Rules.request("d", "ten=x")));

    CompletionStage<LimitAnswer> one = small.decide(Rules.request("d", "ten=y"));
    CompletionStage<LimitAnswer> two = small.decide(Rules.request("d", "ten=x", "ten=y"));

    assertFailed(one, "all 1 counters are taken by windows that have not ended");
    assertFailed(two, "all 1 counters are taken by windows that have not ended");
    assertThat(Rules.now(small.decide(Rules.request("d", "ten=x"))).statuses().get(0).remaining())
        .isEqualTo(7);
  }

  @Test
  void touches_descriptorsOfKnownDomains_areReportedWithTheirHits() {
    var heard = new ArrayList<String>();
    RuleLimiter listening =
        builder(memory)
            .touches((domain, path, hits) -> heard.add(domain + " " + path.text() + " " + hits))
            .build();

    Rules.now(listening.decide(Rules.request("d", "ten=x")));
    Rules.now(listening.decide(Rules.request("d", "un=kn=own", "two=a,b=c")));
    Rules.now(listening.decide(Rules.request("other", "ten=x")));
    Rules.now(listening.decide(new LimitRequest("d", List.of(Rules.descriptor("ten=x", 0)), 5)));

    assertThat(heard).containsExactly("d ten=x 1", "d un=kn\\=own 1", "d two=a,b=c 1");
  }

  @Test
  void request_invalid_namesTheField() {
    assertInvalid(() -> new LimitRequest("", List.of(Rules.descriptor("a=b")), 0), "domain");
    assertInvalid(() -> new LimitRequest("d", List.of(), 0), "descriptors");
    assertInvalid(
        () ->
            new LimitRequest(
                "d", java.util.Collections.nCopies(10_000, Rules.descriptor("a=b")), 0),
        "descriptors");
    assertInvalid(() -> new LimitRequest("d", List.of(Rules.descriptor("a=b")), -1), "hits_addend");
    assertInvalid(
        () -> new LimitRequest("d", List.of(Rules.descriptor("a=b")), 1L << 32), "hits_addend");
    assertInvalid(
        () ->
            Descriptor.of(
                java.util.Collections.nCopies(101, new DescriptorEntry("a", "b"))
                    .toArray(DescriptorEntry[]::new)),
        "descriptors.entries");
    assertInvalid(() -> Rules.descriptor("a=b", -1), "descriptors.hits_addend");
    assertInvalid(() -> new LimitOverride(-1, LimitUnit.DAY), "limit.requests_per_unit");
  }

  private RuleLimiterBuilder builder(CounterBackend backend) {
    return RuleLimiter.over(backend).clockMillis(clock).rules(Rules.of(RULES));
  }

  private LimitAnswer decide(String... descriptors) {
    return Rules.now(limiter.decide(Rules.request("d", descriptors)));
  }

  private LimitAnswer ask(long hits, Descriptor descriptor) {
    return Rules.now(limiter.decide(new LimitRequest("d", List.of(descriptor), hits)));
  }

  private static void assertFailed(CompletionStage<LimitAnswer> stage, String sentence) {
    assertThatThrownBy(() -> stage.toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(BackendUnavailableException.class)
        .hasRootCauseMessage(sentence.startsWith("the counter") ? "secret" : sentence)
        .hasMessageContaining(sentence);
  }

  private static void assertInvalid(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String field) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidRequestException.class, e -> assertThat(e.field()).isEqualTo(field));
  }
}
