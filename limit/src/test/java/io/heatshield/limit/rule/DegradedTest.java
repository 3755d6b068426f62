package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.Rules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers by a policy are marked and not cached. */
class DegradedTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - { key: a, rate_limit: { unit: minute, requests_per_unit: 10 } }
        - { key: s, shadow_mode: true, rate_limit: { unit: minute, requests_per_unit: 10 } }
      """;

  private final ScriptedBackend backend = new ScriptedBackend();
  private final RuleLimiter limiter =
      RuleLimiter.over(backend)
          .clockMillis(new FakeClock())
          .rules(Rules.of(RULES))
          .localCacheBytes(100_000)
          .build();

  @ParameterizedTest
  @EnumSource(OnFailure.class)
  void decide_whenAPolicyAnswers_isMarkedInTheMetadata(OnFailure policy) {
    var answer = limiter.decide(asking("a")).toCompletableFuture();

    backend.degrade(policy, 4);

    assertThat(answer.join().dynamicMetadata()).containsEntry("degraded", policy.label());
    assertThat(answer.join().statuses().get(0).remaining()).isEqualTo(6);
  }

  @Test
  void decide_whenTheBackendAnswers_isNotMarked() {
    var answer = limiter.decide(asking("a")).toCompletableFuture();

    backend.complete(4);

    assertThat(answer.join().dynamicMetadata()).isEmpty();
  }

  @Test
  void decide_whenOnlyOneOfTwoIsDegraded_isMarked() {
    var answer = limiter.decide(asking("a", "a")).toCompletableFuture();

    backend.complete(1);
    backend.degrade(OnFailure.OPEN, 0);

    assertThat(answer.join().dynamicMetadata()).containsEntry("degraded", "open");
  }

  @Test
  void decide_whenAPolicyRejects_isOverAndNotCached() {
    var refused = limiter.decide(asking("a")).toCompletableFuture();
    backend.degrade(OnFailure.CLOSED, 11);

    var next = limiter.decide(asking("a")).toCompletableFuture();
    backend.complete(1);

    assertThat(refused.join().overLimit()).isTrue();
    assertThat(next.join().overLimit()).isFalse();
  }

  @Test
  void decide_whenAPolicyRejectsARuleInShadowMode_isOk() {
    var answer = limiter.decide(asking("s")).toCompletableFuture();

    backend.degrade(OnFailure.CLOSED, 11);

    assertThat(answer.join().overLimit()).isFalse();
  }

  private static LimitRequest asking(String... keys) {
    return Rules.request("d", List.of(keys).stream().map(key -> key + "=x").toArray(String[]::new));
  }
}
