package io.heatshield.limit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.contract.CounterContract;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.redis.Redis;
import io.heatshield.testkit.redis.RedisFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract of backends, for coalesced counters on one real server. */
class CoalescedRedisCountersIT extends CounterContract {
  private static final long NOW = 1_700_000_040_000L;
  private static final Duration BUDGET = Duration.ofSeconds(5);
  private static final Limit LIMIT = new Limit(777, LimitUnit.DAY, Algorithm.FIXED_WINDOW);

  private static RedisFixture server;
  private static Redis redis;

  private final Coalescers coalescers = new Coalescers();

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

  @AfterEach
  void stopCoalescers() {
    coalescers.close();
  }

  @Override
  protected CounterBackend backend(LongSupplier clockMillis) {
    return coalescers.before(new RedisCounters(redis, Duration.ofMinutes(5)));
  }

  @Test
  void add_byManyConcurrentCallers_usesFewerCallsAndReturnsEachRank() {
    CoalescingCounters coalescer = coalescers.before(new RedisCounters(redis, Duration.ZERO));
    CounterKey key = Counting.key("burst", "k", LIMIT);
    Counting.add(coalescer, key, LIMIT, 100, NOW).join();
    long before = redis.stats().commands();

    var result = new ArrayList<CompletableFuture<Long>>();
    for (int i = 0; i < 900; i++) {
      result.add(Counting.add(coalescer, key, LIMIT, 1, NOW));
    }

    assertThat(result.stream().map(CompletableFuture::join))
        .containsExactlyElementsOf(LongStream.rangeClosed(101, 1000).boxed().toList());
    assertThat(redis.stats().commands() - before).isLessThan(900);
  }

  @Test
  void add_byThreeProcessesOnOneRedis_admitsExactlyTheLimit() {
    CounterKey key = Counting.key("three", "k", LIMIT);
    try (var second = Counting.open(server.uri(), BUDGET);
        var third = Counting.open(server.uri(), BUDGET)) {
      List<CoalescingCounters> processes =
          List.of(redis, second, third).stream()
              .map(one -> coalescers.before(new RedisCounters(one, Duration.ZERO)))
              .toList();
      var result = new ArrayList<CompletableFuture<Long>>();

      for (int i = 0; i < 400; i++) {
        processes.forEach(process -> result.add(Counting.add(process, key, LIMIT, 1, NOW)));
      }

      assertThat(result.stream().map(CompletableFuture::join))
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 1200).boxed().toList());
    }
  }

  @Test
  void close_ofTheRedisClient_failsPendingCallsAndNoneHangs() {
    Redis own = Counting.open(server.uri(), BUDGET);
    CoalescingCounters coalescer = coalescers.before(new RedisCounters(own, Duration.ZERO));
    CounterKey key = Counting.key("closing", "k", LIMIT);
    var result = new ArrayList<CompletableFuture<Long>>();

    for (int i = 0; i < 500; i++) {
      result.add(Counting.add(coalescer, key, LIMIT, 1, NOW));
    }
    own.close();
    coalescer.close();
    result.add(Counting.add(coalescer, key, LIMIT, 1, NOW));

    assertThat(result).allMatch(CompletableFuture::isDone);
    assertThat(result.get(500)).isCompletedExceptionally();
  }
}
