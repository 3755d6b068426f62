package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Decisions from the local cache without the backend, and hits that are no longer counted. */
class LocalCacheTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: a
          rate_limit: { unit: minute, requests_per_unit: 10 }
        - key: b
          rate_limit: { unit: minute, requests_per_unit: 20 }
        - key: slide
          rate_limit: { unit: minute, requests_per_unit: 10, algorithm: sliding_window }
        - key: shadow
          shadow_mode: true
          rate_limit: { unit: minute, requests_per_unit: 10 }
      """;

  private final ScriptedBackend backend = new ScriptedBackend();
  private final FakeClock clock = new FakeClock();

  @Test
  void decide_keyKnownToBeOver_isAnsweredWithoutTheBackendUntilItsWindowEnds() {
    RuleLimiter limiter = limiter(1 << 20, false);
    ask(limiter, "a=1");
    backend.complete(11);

    clock.move(59_999);
    LimitAnswer answer = Rules.now(ask(limiter, "a=1"));
    CompletionStage<LimitAnswer> both = ask(limiter, "a=1", "b=1");
    assertThat(backend.asked).hasSize(1);
    backend.complete(1);

    assertThat(answer.statuses())
        .containsExactly(
            new DescriptorStatus(true, new CurrentLimit(10, LimitUnit.MINUTE, ""), 0, 1));
    assertThat(Rules.now(both).statuses().get(1).remaining()).isEqualTo(19);
    RuleCounts counts = limiter.ruleStats().of("d.a");
    assertThat(List.of(counts.total(), counts.over(), counts.overByLocalCache()))
        .containsExactly(3L, 3L, 2L);
    clock.move(1);
    ask(limiter, "a=1");
    assertThat(backend.asked).hasSize(1);
  }

  @Test
  void decide_keyExactlyAtItsLimit_isNotCached() {
    RuleLimiter limiter = limiter(1 << 20, false);
    ask(limiter, "a=1");
    backend.complete(10);

    ask(limiter, "a=1");

    assertThat(backend.asked).hasSize(1);
  }

  @Test
  void decide_limitRaisedByAReload_callsTheBackendAgain() {
    RuleLimiter limiter = limiter(1 << 20, false);
    ask(limiter, "a=1");
    backend.complete(11);

    limiter.rules(Rules.of(RULES.replace("requests_per_unit: 10", "requests_per_unit: 12")));
    ask(limiter, "a=1");

    assertThat(backend.asked).hasSize(1);
  }

  @Test
  void decide_slidingWindow_isNeverCached() {
    RuleLimiter limiter = limiter(1 << 20, false);
    ask(limiter, "slide=1");
    backend.complete(11);

    ask(limiter, "slide=1");

    assertThat(backend.asked).hasSize(1);
  }

  @Test
  void decide_clockSetBack_callsTheBackendAgain() {
    RuleLimiter limiter = limiter(1 << 20, false);
    ask(limiter, "a=1");
    backend.complete(11);

    clock.move(-3_600_000);
    ask(limiter, "a=1");

    assertThat(backend.asked).hasSize(1);
  }

  @Test
  void decide_shadowRuleKnownToBeOver_isOk() {
    RuleLimiter limiter = limiter(1 << 20, false);
    ask(limiter, "shadow=1");
    backend.complete(11);

    LimitAnswer answer = Rules.now(ask(limiter, "shadow=1"));

    assertThat(answer.overLimit()).isFalse();
    assertThat(limiter.ruleStats().of("d.shadow").shadow()).isEqualTo(2);
  }

  @Test
  void decide_moreKeysThanTheCacheHolds_staysWithinItsBytes() {
    RuleLimiter limiter = limiter(20_000, false);
    for (int i = 0; i < 2000; i++) {
      ask(limiter, "a=" + i);
      backend.complete(11);
    }

    int known = 0;
    for (int i = 0; i < 2000; i++) {
      known += ask(limiter, "a=" + i).toCompletableFuture().isDone() ? 1 : 0;
    }

    assertThat(known).isBetween(1, 125);
  }

  @Test
  void decide_stopIncrement_countsOnlyWhatExceedsItsLimit() {
    RuleLimiter limiter = limiter(0, true);

    CompletionStage<LimitAnswer> stage = ask(limiter, "a=1", "b=1");
    assertThat(hits()).containsExactly(0L, 0L);
    backend.complete(10, 3);
    assertThat(hits()).containsExactly(1L, 0L);
    backend.complete(11, 3);

    assertThat(Rules.now(stage).overLimit()).isTrue();
    assertThat(Rules.now(stage).statuses().get(1).remaining()).isEqualTo(17);
  }

  @Test
  void decide_stopIncrementAndNoneExceeds_countsAll() {
    RuleLimiter limiter = limiter(0, true);

    CompletionStage<LimitAnswer> stage = ask(limiter, "a=1", "b=1");
    backend.complete(9, 3);
    assertThat(hits()).containsExactly(1L, 1L);
    backend.complete(10, 4);

    assertThat(Rules.now(stage).overLimit()).isFalse();
  }

  @Test
  void decide_stopIncrementAndOneIsKnownToBeOver_countsNone() {
    RuleLimiter limiter = limiter(1 << 20, true);
    ask(limiter, "a=1");
    backend.complete(10, 11);

    CompletionStage<LimitAnswer> stage = ask(limiter, "a=1", "b=1");
    assertThat(hits()).containsExactly(0L);
    backend.complete(5);

    assertThat(Rules.now(stage).overLimit()).isTrue();
  }

  private RuleLimiter limiter(long cacheBytes, boolean stop) {
    return RuleLimiter.over(backend)
        .clockMillis(clock)
        .rules(Rules.of(RULES))
        .localCacheBytes(cacheBytes)
        .options(new LimiterOptions(0.8f, false, false, false, false, stop))
        .build();
  }

  private static CompletionStage<LimitAnswer> ask(RuleLimiter limiter, String... descriptors) {
    return limiter.decide(Rules.request("d", descriptors));
  }

  private List<Long> hits() {
    return backend.asked.stream().map(ScriptedBackend.Asked::hits).toList();
  }
}
