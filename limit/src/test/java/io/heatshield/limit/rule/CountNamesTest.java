package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.Rules;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The name that a hit is counted under and the counter that it raises, for every mix of {@code
 * detailed_metric}, {@code value_to_metric}, {@code share_threshold} and wildcards that the Envoy
 * rate-limit service distinguishes.
 */
class CountNamesTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: route
          value_to_metric: true
          descriptors:
            - key: method
              value_to_metric: true
              descriptors:
                - key: subject
                  rate_limit: &limit { unit: minute, requests_per_unit: 9 }
                - key: full
                  detailed_metric: true
                  rate_limit: *limit
            - key: verb
              value: GET
              value_to_metric: true
              descriptors: [ { key: subject, rate_limit: *limit } ]
        - key: outer
          detailed_metric: true
          rate_limit: *limit
          descriptors:
            - { key: inner, rate_limit: *limit }
            - { key: exact, value: one, detailed_metric: true, rate_limit: *limit }
            - key: named
              value_to_metric: true
              descriptors: [ { key: leaf, rate_limit: *limit } ]
        - key: user
          value_to_metric: true
          descriptors:
            - key: action
              value: read*
              value_to_metric: true
              descriptors: [ { key: resource, rate_limit: *limit } ]
        - key: wild
          value: foo*
          rate_limit: *limit
          descriptors:
            - key: other
              value_to_metric: true
              descriptors: [ { key: limit, rate_limit: *limit } ]
        - { key: twice, value: foo*bar*, rate_limit: *limit }
        - { key: shown, value: foo*bar*, value_to_metric: true, rate_limit: *limit }
        - key: nested
          value: one
          descriptors:
            - { key: wild, value: goo*, rate_limit: *limit }
            - { key: files, value: n/*, share_threshold: true, rate_limit: *limit }
        - { key: files, value: f/*, share_threshold: true, rate_limit: *limit }
        - key: files
          value: top/*
          share_threshold: true
          descriptors: [ { key: files, value: n/*, share_threshold: true, rate_limit: *limit } ]
        - key: api
          value: api/*
          share_threshold: true
          value_to_metric: true
          descriptors: [ { key: method, rate_limit: *limit } ]
        - key: service
          value: svc/*
          share_threshold: true
          descriptors: [ { key: endpoint, detailed_metric: true, rate_limit: *limit } ]
        - key: path
          value: path/*
          share_threshold: true
          descriptors:
            - key: file
              value: file/*
              descriptors: [ { key: type, rate_limit: *limit } ]
        - { key: doc, value: test1, rate_limit: *limit }
        - { key: doc, value: test*, share_threshold: true, rate_limit: *limit }
        - { key: middle, value: /api*v1, share_threshold: true, value_to_metric: true, rate_limit: *limit }
        - { key: many, value: a*b*c, share_threshold: true, detailed_metric: true, rate_limit: *limit }
      """;

  private final FakeClock clock = new FakeClock();
  private final RuleLimiter limiter =
      RuleLimiter.over(new MemoryCounters(1_000, clock))
          .clockMillis(clock)
          .rules(Rules.of(RULES))
          .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "route=draw,method=GET,subject=7 | d.route_draw.method_GET.subject",
        "route=,method=GET,subject=7 | d.route.method_GET.subject",
        "route=draw,method=,subject=7 | d.route_draw.method.subject",
        "route=,method=,subject=7 | d.route.method.subject",
        "route=draw,method=GET,full=7 | d.route_draw.method_GET.full_7",
        "route=draw,method=,full= | d.route_draw.method_.full_",
        "route=draw,verb=GET,subject=7 | d.route_draw.verb_GET.subject",
        "outer=x | d.outer_x",
        "outer=x,inner=y | d.outer.inner",
        "outer=x,exact=one | d.outer_x.exact_one",
        "outer=x,named=y,leaf=z | d.outer.named_y.leaf",
        "user=anna,action=readfile,resource=r | d.user_anna.action_readfile.resource",
        "wild=foo1 | d.wild_foo*",
        "wild=foo1,other=bar,limit=x | d.wild_foo*.other_bar.limit",
        "twice=foo1bar2 | d.twice_foo*bar*",
        "shown=foo1bar2 | d.shown_foo1bar2",
        "nested=one,wild=goo2 | d.nested_one.wild_goo*",
        "nested=one,files=n/1 | d.nested_one.files_n/*",
        "files=f/a.pdf | d.files_f/*",
        "files=top/1,files=n/2 | d.files_top/*.files_n/*",
        "api=api/v1,method=GET | d.api_api/*.method",
        "service=svc/user,endpoint=get | d.service_svc/*.endpoint_get",
        "service=svc/user,endpoint= | d.service_svc/*.endpoint",
        "path=path/a,file=file/b,type=pdf | d.path_path/*.file_file/*.type",
        "doc=test1 | d.doc_test1",
        "doc=test23 | d.doc_test*",
        "middle=/api-beta-v1 | d.middle_/api*v1",
        "many=a1b2c | d.many_a*b*c",
      })
  void decide_path_countsUnderTheExpectedName(String path, String name) {
    Rules.now(limiter.decide(Rules.request("d", path)));

    var counted = new TreeMap<>(limiter.ruleStats().all());
    counted.values().removeIf(counts -> counts.total() == 0);
    assertThat(counted).containsOnlyKeys(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "files=f/a.pdf | files=f/sub/b.csv | true",
        "files=f/a.pdf | files=f/* | true",
        "nested=one,files=n/1 | nested=one,files=n/2 | true",
        "nested=one,files=n/1 | files=top/1,files=n/1 | false",
        "files=top/1,files=n/1 | files=top/2,files=n/2 | true",
        "api=api/v1,method=GET | api=api/v2,method=GET | true",
        "api=api/v1,method=GET | api=api/v1,method=PUT | false",
        "path=path/a,file=file/b,type=t | path=path/z,file=file/b,type=t | true",
        "path=path/a,file=file/b,type=t | path=path/a,file=file/c,type=t | false",
        "doc=test2 | doc=test23 | true",
        "doc=test2 | doc=test1 | false",
        "middle=/api/v1 | middle=/apiXYZv1 | true",
        "many=abc | many=a1b2c | true",
        "wild=foo1 | wild=foo2 | false",
        "twice=foo1bar2 | twice=foobar | false",
      })
  void decide_twoPaths_incrementOneCounterIfTheyShareIt(String one, String other, boolean shared) {
    Rules.now(limiter.decide(Rules.request("d", one)));

    LimitAnswer second = Rules.now(limiter.decide(Rules.request("d", other)));

    assertThat(second.statuses().get(0).remaining()).isEqualTo(shared ? 7 : 8);
  }
}
