package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitHeaders;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The combination of verdicts on several descriptors into one answer. */
class AnswersTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: a
          rate_limit: { unit: minute, requests_per_unit: 10 }
          metadata: { route: { a: 1, both: a }, tags: [x, z], on: true, gone: null }
        - key: b
          rate_limit: { unit: hour, requests_per_unit: 20 }
          metadata: { route: { b: text, both: b } }
        - key: q
          quota_mode: true
          rate_limit: { unit: minute, requests_per_unit: 10 }
        - key: r
          quota_mode: true
          rate_limit: { unit: minute, requests_per_unit: 10 }
        - key: free
          rate_limit: { unlimited: true }
      """;

  private final ScriptedBackend backend = new ScriptedBackend();

  @ParameterizedTest
  @CsvSource({
    "11, 1, true",
    "10, 20, false",
    "1, 21, true",
    "11, 21, true",
  })
  void decide_plainRules_areOverIfOneIs(long a, long b, boolean over) {
    assertThat(decide(options(false, false, false), "a=1", "b=1").answer(a, b).overLimit())
        .isEqualTo(over);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 11, 1, false",
    "1, 11, 11, true",
    "11, 1, 1, true",
    "11, 11, 11, true",
    "1, 1, 1, false",
  })
  void decide_quotaRules_areOverIfAllAre(long a, long q, long r, boolean over) {
    assertThat(
            decide(options(false, false, false), "a=1", "q=1", "free=1", "r=1")
                .answer(a, q, r)
                .overLimit())
        .isEqualTo(over);
  }

  @Test
  void decide_oneQuotaRule_isOverWithIt() {
    assertThat(decide(options(false, false, false), "q=1").answer(11).overLimit()).isTrue();
    assertThat(decide(options(false, false, false), "q=1").answer(10).overLimit()).isFalse();
  }

  @Test
  void decide_globalQuotaMode_treatsEveryRuleAsQuota() {
    assertThat(decide(options(true, false, false), "a=1", "b=1").answer(11, 1).overLimit())
        .isFalse();
    assertThat(decide(options(true, false, false), "a=1", "b=1").answer(11, 21).overLimit())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 10, 9, 60",
    "1, 15, 20, 5, 2760",
    "11, 20, 10, 0, 60",
    "10, 21, 20, 0, 2760",
  })
  void headers_ofSeveral_areThoseOfTheNearestToItsLimit(
      long a, long b, long limit, long left, long reset) {
    LimitAnswer answer = decide(options(false, true, false), "free=1", "a=1", "b=1").answer(a, b);

    assertThat(answer.headers()).isEqualTo(new LimitHeaders(limit, left, reset));
  }

  @Test
  void headers_withoutALimitOrDisabled_areEmpty() {
    assertThat(decide(options(false, true, false), "free=1", "x=1").answer().headers()).isNull();
    assertThat(decide(options(false, true, false), "free=1").answer().headers()).isNull();
    assertThat(decide(options(false, false, false), "a=1").answer(1).headers()).isNull();
    assertThat(decide(options(false, true, false), "a=1").answer(1).headers())
        .isEqualTo(new LimitHeaders(10, 9, 60));
  }

  @Test
  void metadata_enabled_hasTheRequestAndTheMetadataOfPassedRules() {
    RuleLimiter limiter = limiter(options(false, false, true));
    var own =
        new Descriptor(
            Rules.entries("x=y"), new LimitOverride(5, LimitUnit.HOUR), OptionalLong.of(3));
    CompletionStage<LimitAnswer> stage =
        limiter.decide(
            new LimitRequest(
                "d", List.of(Rules.descriptor("a=1"), Rules.descriptor("b=2"), own), 7));
    backend.complete(7, 7, 3);

    assertThat(Rules.now(stage).dynamicMetadata())
        .isEqualTo(
            Map.of(
                "domain",
                "d",
                "hitsAddend",
                7.0,
                "descriptors",
                List.of(
                    Map.of("entries", List.of("a=1")),
                    Map.of("entries", List.of("b=2")),
                    Map.of(
                        "entries",
                        List.of("x=y"),
                        "limit",
                        "requests_per_unit:5 unit:HOUR",
                        "hitsAddend",
                        3.0)),
                "metadata",
                Map.of(
                    "route", Map.of("a", 1.0, "b", "text", "both", "a"),
                    "tags", List.of("x", "z"),
                    "on", true)));
  }

  @Test
  void metadata_ofARuleThatIsOver_isLeftOut() {
    LimitAnswer answer = decide(options(false, false, true), "a=1").answer(11);

    assertThat(answer.dynamicMetadata())
        .containsKeys("domain", "descriptors")
        .doesNotContainKey("metadata");
    assertThat(decide(options(false, false, false), "a=1").answer(1).dynamicMetadata()).isEmpty();
  }

  private Asked decide(LimiterOptions options, String... descriptors) {
    return new Asked(limiter(options).decide(Rules.request("d", descriptors)));
  }

  private RuleLimiter limiter(LimiterOptions options) {
    return RuleLimiter.over(backend)
        .clockMillis(new FakeClock())
        .rules(Rules.of(RULES))
        .options(options)
        .build();
  }

  private static LimiterOptions options(boolean quota, boolean headers, boolean metadata) {
    return new LimiterOptions(0.8f, false, quota, headers, metadata, false);
  }

  private final class Asked {
    private final CompletionStage<LimitAnswer> stage;

    Asked(CompletionStage<LimitAnswer> stage) {
      this.stage = stage;
    }

    LimitAnswer answer(long... counts) {
      backend.complete(counts);
      return Rules.now(stage);
    }
  }
}
