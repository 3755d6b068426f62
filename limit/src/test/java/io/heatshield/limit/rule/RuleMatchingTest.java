package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rule applies to which descriptor. */
class RuleMatchingTest {
  private static final String BASIC =
      """
      domain: basic
      descriptors:
        - key: key1
          value: value1
          descriptors:
            - key: subkey1
              rate_limit: { unit: second, requests_per_unit: 5 }
            - key: subkey1
              value: subvalue1
              rate_limit: { unit: second, requests_per_unit: 10 }
        - key: key2
          value: value2
          rate_limit: { unit: minute, requests_per_unit: 20 }
        - key: key2
          rate_limit: { unit: minute, requests_per_unit: 30 }
        - key: key2
          value: allowed
        - key: key3
          rate_limit: { unit: hour, requests_per_unit: 40 }
          descriptors:
            - key: below
              rate_limit: { unit: hour, requests_per_unit: 41 }
        - key: wild
          value: "bar*b"
          rate_limit: { unit: day, requests_per_unit: 50 }
        - key: wild
          value: "foo*bar*baz"
          rate_limit: { unit: day, requests_per_unit: 51 }
        - key: wild
          value: "foo*"
          rate_limit: { unit: day, requests_per_unit: 52 }
        - key: wild
          value: "*"
          descriptors:
            - key: below
              value: "x*"
              rate_limit: { unit: day, requests_per_unit: 53 }
      """;
  private static final RuleSet RULES = Rules.of(BASIC);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key1=value1,subkey1=anything | 5",
        "key1=value1,subkey1= | 5",
        "key1=value1,subkey1=subvalue1 | 10",
        "key1=value1 | 0",
        "key1=other,subkey1=x | 0",
        "key1=value1,other=x | 0",
        "key1=value1,subkey1=x,more=y | 0",
        "key2=value2 | 20",
        "key2=other | 30",
        "key2= | 30",
        "key2=allowed | 0",
        "key2=value2,more=x | 0",
        "key3=x | 40",
        "key3=x,below=y | 41",
        "key3=x,beside=y | 0",
        "wild=barab | 50",
        "wild=bar123b | 50",
        "wild=barb | 50",
        "wild=bara | 0",
        "wild=xbarb | 0",
        "wild=foobarbaz | 51",
        "wild=foo1bar2baz | 51",
        "wild=foobarbarbaz | 51",
        "wild=foo123baz | 52",
        "wild=foobarbazz | 52",
        "wild=foo | 52",
        "wild=fo | 0",
        "wild=z,below=xy | 53",
        "wild=z,below=yx | 0",
        "wild=barb,below=xy | 0",
        "nothing=here | 0",
      })
  void find_path_returnsTheLimitOfItsLastEntry(String path, long limit) {
    AppliedRule rule = domain(RULES, "basic").find(Rules.entries(path));

    assertThat(rule == null || rule.limit() == null ? 0 : rule.limit().requestsPerUnit())
        .isEqualTo(limit);
  }

  @Test
  void find_keyAndValueJoinedDifferently_matchesAsTheJoinedText() {
    // The Envoy rate-limit service compares key_value as one text; counters never do.
    RuleSet rules =
        Rules.of(
            """
            domain: d
            descriptors:
              - key: a_b
                value: c
                rate_limit: { unit: second, requests_per_unit: 1 }
            """);

    assertThat(domain(rules, "d").find(Rules.entries("a=b_c"))).isNotNull();
    assertThat(domain(rules, "d").find(Rules.entries("a_b=c"))).isNotNull();
    assertThat(domain(rules, "d").find(Rules.entries("a_b=d"))).isNull();
  }

  @Test
  void find_amongManyRules_findsEachByValue() {
    RuleSet rules = RuleSet.of(java.util.Map.of("d", many(3000)));

    for (int i = 0; i < 3000; i++) {
      AppliedRule rule = domain(rules, "d").find(Rules.entries("user=" + "v".repeat(i % 200) + i));
      assertThat(rule).isNotNull();
      assertThat(rule.currentLimit()).isEqualTo(new CurrentLimit(i, LimitUnit.HOUR, ""));
    }
    assertThat(domain(rules, "d").find(Rules.entries("user=unknown"))).isNull();
  }

  @Test
  void matches_manyStars_terminatesQuickly() {
    String pattern = "k_" + "a*".repeat(200) + "b";

    assertThat(WildcardPattern.matches(pattern, "k", "a".repeat(20_000))).isFalse();
    assertThat(WildcardPattern.matches(pattern, "k", "a".repeat(20_000) + "b")).isTrue();
  }

  @Test
  void dump_allRules_hasALineForEach() {
    String dump =
        Rules.of(
                """
                domain: d
                descriptors:
                  - key: a
                    value: b
                    shadow_mode: true
                    rate_limit: { unit: second, requests_per_unit: 5 }
                    descriptors:
                      - key: c
                        quota_mode: true
                        algorithm: gcra
                        rate_limit: { unit: minute, requests_per_unit: 7 }
                  - key: free
                    rate_limit: { unlimited: true }
                  - key: allowed
                """)
            .dump();

    assertThat(dump)
        .isEqualTo(
            """
            d.a_b: unit=SECOND requests_per_unit=5, shadow_mode: true, quota_mode: false
            d.a_b.c: unit=MINUTE requests_per_unit=7, shadow_mode: false, quota_mode: true, algorithm: gcra
            d.free: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false, unlimited: true
            """);
  }

  private static DomainRules domain(RuleSet rules, String name) {
    DomainRules domain = rules.domain(name);
    assertThat(domain).isNotNull();
    return domain;
  }

  private static List<Rule> many(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Rule.of(
                    "user",
                    "v".repeat(i % 200) + i,
                    new Limit(i, LimitUnit.HOUR, Algorithm.FIXED_WINDOW)))
        .collect(Collectors.toList());
  }
}
