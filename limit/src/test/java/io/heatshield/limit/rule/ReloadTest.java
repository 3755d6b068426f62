package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.Rules;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.yaml.LoadResult;
import io.heatshield.limit.yaml.RuleFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rules are replaced atomically under load. */
class ReloadTest {
  @Test
  void rules_reloadedAThousandTimes_answerEachRequestFromOneConfiguration() throws Exception {
    var clock = new FakeClock();
    RuleLimiter limiter =
        RuleLimiter.over(new MemoryCounters(1000, clock))
            .clockMillis(clock)
            .rules(version(1))
            .build();
    var stop = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(3);

    var asked = new ArrayList<Future<Set<Long>>>();
    for (int i = 0; i < 3; i++) {
      asked.add(pool.submit(() -> ask(limiter, stop)));
    }
    int broken = 0;
    for (int i = 0; i < 1000; i++) {
      if (RuleFiles.load("x", text(i % 7 == 0 ? -1 : 1 + i)) instanceof LoadResult.Valid valid) {
        limiter.rules(valid.rules());
      } else {
        broken++;
      }
    }
    stop.set(true);

    var seen = new HashSet<Long>();
    for (Future<Set<Long>> one : asked) {
      seen.addAll(one.get());
    }
    pool.shutdownNow();
    assertThat(broken).isEqualTo(143);
    assertThat(seen).hasSizeGreaterThan(10);
    assertThat(limiter.rules().dump()).contains("requests_per_unit=1000,");
  }

  /** Asks until it is stopped; returns the versions seen, and fails if an answer mixes two. */
  private static Set<Long> ask(RuleLimiter limiter, AtomicBoolean stop) {
    var seen = new HashSet<Long>();
    LimitRequest request = Rules.request("d", "a=1", "b=1", "c=1");
    while (!stop.get()) {
      List<Long> versions =
          Rules.now(limiter.decide(request)).statuses().stream()
              .map(ReloadTest::version)
              .distinct()
              .toList();
      assertThat(versions).hasSize(1);
      seen.addAll(versions);
    }
    return seen;
  }

  private static long version(DescriptorStatus status) {
    CurrentLimit limit = status.currentLimit();
    assertThat(limit).isNotNull();
    return limit.requestsPerUnit();
  }

  private static RuleSet version(long version) {
    return Rules.of(new String(text(version), StandardCharsets.UTF_8));
  }

  private static byte[] text(long version) {
    var text = new StringBuilder("domain: d\ndescriptors:\n");
    for (String key : List.of("a", "b", "c")) {
      text.append("- key: ")
          .append(key)
          .append("\n  rate_limit: { unit: day, requests_per_unit: ")
          .append(version)
          .append(" }\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
