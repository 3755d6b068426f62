package io.heatshield.limit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.contract.CounterContract;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.redis.Redis;
import io.heatshield.testkit.redis.RedisFixture;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of backends, for the Redis backend on one real server. */
class RedisCountersIT extends CounterContract {
  private static final long NOW = 1_700_000_040_000L;
  private static final Duration BUDGET = Duration.ofSeconds(5);

  private static RedisFixture server;
  private static Redis redis;

  @BeforeAll
  static void start() {
    server = RedisFixture.start();
    redis = Counting.open(server.uri(), BUDGET);
  }

  @AfterAll
  static void stop() {
    redis.close();
    server.close();
  }

  @Override
  protected CounterBackend backend(LongSupplier clockMillis) {
    return new RedisCounters(redis, Duration.ofMinutes(5));
  }

  @Test
  void add_inAFixedWindow_expiresAfterTheWindowAndTheJitter() {
    var limit = new Limit(10, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW);
    var counters = new RedisCounters(redis, redis, Duration.ofMinutes(5), "", bound -> bound - 1);
    byte[] name = RedisCounters.name(Counting.key("ttl", "k", limit), limit.unit().window(NOW));

    Counting.add(counters, Counting.key("ttl", "k", limit), limit, 3, NOW).join();

    assertThat(Long.parseLong(server.command(bytes("PTTL"), name))).isBetween(330_000L, 360_000L);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void add_withEveryAlgorithm_leavesNoCounterWithoutTtl(Algorithm algorithm) {
    var limit = new Limit(3, LimitUnit.HOUR, algorithm);
    var counters = new RedisCounters(redis, Duration.ZERO);
    String before = server.command("DBSIZE");

    for (int i = 0; i < 5; i++) {
      Counting.add(counters, Counting.key("ends", "k", limit), limit, 1, NOW).join();
    }

    assertThat(server.command("DBSIZE")).isNotEqualTo(before);
    assertThat(ttls(server)).isNotEmpty().allMatch(millis -> millis > 0);
  }

  @Test
  void add_whenIncrbyOrExpiryIsNotPermitted_leavesNoCounterWithoutTtl() {
    server.command("ACL", "SETUSER", "half", "on", ">half", "~*", "+@all", "-pexpire", "-incrby");
    var limit = new Limit(3, LimitUnit.HOUR, Algorithm.FIXED_WINDOW);
    var uri = URI.create("redis://half:half@127.0.0.1:" + server.port());
    try (var half = Counting.open(uri, BUDGET)) {
      var counters = new RedisCounters(half, Duration.ZERO);

      CompletableFuture<Long> first =
          Counting.add(counters, Counting.key("half", "k", limit), limit, 1, NOW);
      CompletableFuture<Long> second =
          Counting.add(counters, Counting.key("half", "k", limit), limit, 1, NOW);

      assertThat(first.join()).isEqualTo(1);
      assertThat(second).failsWithin(Counting.PATIENCE);
      assertThat(ttls(server)).allMatch(millis -> millis > 0);
    }
  }

  @Test
  void add_perSecond_isCountedInTheSecondRedis() {
    var limit = new Limit(3, LimitUnit.SECOND, Algorithm.FIXED_WINDOW);
    try (var other = RedisFixture.start();
        var perSecond = Counting.open(other.uri(), BUDGET)) {
      var counters = new RedisCounters(redis, perSecond, Duration.ofMinutes(5), "");

      Counting.add(counters, Counting.key("d", "k", limit), limit, 1, NOW).join();

      assertThat(other.command("DBSIZE")).isEqualTo("1");
    }
  }

  @Test
  void add_byThreeProcessesOnOneRedis_admitsExactlyTheLimit() {
    var limit = new Limit(777, LimitUnit.DAY, Algorithm.FIXED_WINDOW);
    try (var second = Counting.open(server.uri(), BUDGET);
        var third = Counting.open(server.uri(), BUDGET)) {
      var result = new ArrayList<CompletableFuture<Long>>();

      for (int i = 0; i < 400; i++) {
        for (Redis one : List.of(redis, second, third)) {
          var counters = new RedisCounters(one, Duration.ZERO);
          result.add(Counting.add(counters, Counting.key("three", "k", limit), limit, 1, NOW));
        }
      }

      assertThat(result.stream().map(CompletableFuture::join).filter(count -> count <= 777))
          .hasSize(777)
          .doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"SLIDING_WINDOW", "GCRA"})
  void add_byCallersWhoseClocksDisagree_admitsTheLimitOnce(Algorithm algorithm) {
    var limit = new Limit(10, LimitUnit.SECOND, algorithm);
    var counters = new RedisCounters(redis, Duration.ZERO);
    long admitted = 0;

    for (int i = 0; i < 20; i++) {
      long clock = i % 2 == 0 ? NOW : NOW - 5000;
      var key = Counting.key("clocks", "k", limit);
      admitted += Counting.add(counters, key, limit, 1, clock).join() <= 10 ? 1 : 0;
    }

    assertThat(admitted).isEqualTo(10);
  }

  /** Returns the milliseconds that each key is kept. */
  static List<Long> ttls(RedisFixture server) {
    String script =
        "local t = {} for _, k in ipairs(redis.call('KEYS', '*')) do"
            + " t[#t + 1] = redis.call('PTTL', k) end return t";
    String lines = server.command("EVAL", script, "0");
    return lines.isEmpty() ? List.of() : lines.lines().map(Long::parseLong).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
