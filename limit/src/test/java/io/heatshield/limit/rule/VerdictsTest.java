package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts become verdicts and statistics as in the Envoy rate-limit service. */
class VerdictsTest {
  private final ScriptedBackend backend = new ScriptedBackend();
  private final FakeClock clock = new FakeClock();

  @ParameterizedTest
  @CsvSource({
    "15, 1, 11, false, 4, 0, 0, 1",
    "15, 1, 13, false, 2, 0, 1, 1",
    "15, 1, 15, false, 0, 0, 1, 1",
    "15, 1, 16, true, 0, 1, 0, 0",
    "20, 3, 5, false, 15, 0, 0, 3",
    "8, 2, 7, false, 1, 0, 1, 2",
    "20, 3, 19, false, 1, 0, 3, 3",
    "20, 3, 22, true, 0, 2, 1, 0",
    "20, 7, 22, true, 0, 2, 4, 0",
    "10, 3, 30, true, 0, 3, 0, 0",
    "0, 1, 1, true, 0, 1, 0, 0",
    "10, 0, 10, false, 0, 0, 0, 0",
    "4294967295, 4294967295, 8589934590, true, 0, 4294967295, 0, 0",
  })
  void decide_countAfterHits_givesStatusAndStatistics(
      long limit,
      long hits,
      long count,
      boolean over,
      long left,
      long overs,
      long nears,
      long withins) {
    RuleLimiter limiter = limiter(limit);

    CompletionStage<LimitAnswer> stage =
        limiter.decide(new LimitRequest("d", List.of(Rules.descriptor("k=v", hits)), 0));
    backend.complete(count);

    DescriptorStatus status = Rules.now(stage).statuses().get(0);
    assertThat(status.overLimit()).isEqualTo(over);
    assertThat(status.remaining()).isEqualTo(left);
    assertThat(Rules.now(stage).overLimit()).isEqualTo(over);
    RuleCounts counts = limiter.ruleStats().of("d.k");
    assertThat(List.of(counts.total(), counts.over(), counts.near(), counts.within()))
        .containsExactly(hits, overs, nears, withins);
  }

  @ParameterizedTest
  @CsvSource({"0, 60", "1, 60", "999, 60", "1000, 59", "59000, 1", "59999, 1"})
  void decide_inTheMiddleOfAWindow_returnsTheRemainingSeconds(long into, int left) {
    clock.move(into);

    CompletionStage<LimitAnswer> stage = limiter(5).decide(Rules.request("d", "k=v"));
    backend.complete(1);

    assertThat(Rules.now(stage).statuses())
        .containsExactly(
            new DescriptorStatus(false, new CurrentLimit(5, LimitUnit.MINUTE, ""), 4, left));
  }

  @Test
  void parse_unitsInAnyCase_haveTheirSeconds() {
    assertThat(
            List.of("second", "MINUTE", "Hour", "dAy", "week", "month", "YEAR").stream()
                .map(name -> LimitUnit.parse(name).orElseThrow().seconds()))
        .containsExactly(1L, 60L, 3600L, 86_400L, 604_800L, 2_592_000L, 31_536_000L);
    assertThat(LimitUnit.parse("fortnight")).isEmpty();
    assertThat(LimitUnit.parse("")).isEmpty();
  }

  private RuleLimiter limiter(long limit) {
    return RuleLimiter.over(backend)
        .clockMillis(clock)
        .rules(
            Rules.of(
                """
                domain: d
                descriptors:
                  - key: k
                    rate_limit: { unit: minute, requests_per_unit: %d }
                """
                    .replace("%d", Long.toString(limit))))
        .build();
  }
}
