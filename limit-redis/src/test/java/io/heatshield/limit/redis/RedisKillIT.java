package io.heatshield.limit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.redis.script.RedisException;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that no kill loses or duplicates hits: each acknowledged hit is stored, and each stored
 * hit was acknowledged or reported as ambiguous.
 *
 * <p>Redis is killed ten times; {@code -Dredis.kills=200} for more.
 */
class RedisKillIT {
  private static final int KILLS = Integer.getInteger("redis.kills", 10);
  private static final int CALLERS = 4;
  private static final int LANES = 2;
  private static final long NOW = 1_700_000_040_000L;
  private static final Limit LIMIT = new Limit(10, LimitUnit.DAY, Algorithm.FIXED_WINDOW);

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong ambiguous = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Set<String> ranks = ConcurrentHashMap.newKeySet();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void add_whileRedisIsKilledAtRandom_conservesEveryHit(boolean coalesced)
      throws InterruptedException {
    long seed = System.nanoTime();
    var random = new Random(seed);
    try (var server = RedisFixture.start("appendonly yes", "appendfsync always");
        var redis = Counting.open(server.uri(), Duration.ofSeconds(5));
        var coalescers = new Coalescers()) {
      var counters = new RedisCounters(redis, Duration.ZERO);
      List<Thread> callers = startCallers(coalesced ? coalescers.before(counters) : counters);

      for (int i = 0; i < KILLS; i++) {
        await(acknowledged.get() + 20 + random.nextInt(200));
        server.kill();
        server.restart();
        assertThat(redis.awaitUp(Counting.PATIENCE)).as("kill %d, seed %d", i, seed).isTrue();
      }
      over.set(true);
      for (Thread caller : callers) {
        caller.join();
      }

      long stored = 0;
      for (int i = 0; i < CALLERS; i++) {
        stored += Long.parseLong(server.command(bytes("GET"), name(i)));
      }
      assertThat(stored)
          .as("seed %d", seed)
          .isBetween(acknowledged.get(), acknowledged.get() + ambiguous.get());
      assertThat(ranks).as("ranks, seed %d", seed).hasSize(Math.toIntExact(acknowledged.get()));
      assertThat(ambiguous.get()).isLessThanOrEqualTo((long) KILLS * CALLERS * LANES);
      assertThat(refused.get()).isPositive();
      assertThat(RedisCountersIT.ttls(server)).hasSize(CALLERS).allMatch(millis -> millis > 0);
    }
  }

  private List<Thread> startCallers(CounterBackend counters) {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      int number = i;
      var thread = new Thread(() -> call(counters, number));
      thread.start();
      threads.add(thread);
    }
    return threads;
  }

  private void call(CounterBackend counters, int number) {
    for (int i = 0; !over.get(); i++) {
      int key = (number + i) % CALLERS;
      try {
        long count = Counting.add(counters, key(key), LIMIT, 1, NOW).join();
        ranks.add(key + ":" + count);
        acknowledged.incrementAndGet();
      } catch (CompletionException e) {
        note(e);
      }
    }
  }

  private void note(CompletionException failed) {
    boolean mayBeCounted =
        failed.getCause() != null
            && failed.getCause().getCause() instanceof RedisException reason
            && reason.failure().isAmbiguous();
    (mayBeCounted ? ambiguous : refused).incrementAndGet();
  }

  private void await(long count) {
    while (acknowledged.get() < count) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static CounterKey key(int number) {
    return Counting.key("kill", "k" + number, LIMIT);
  }

  private static byte[] name(int number) {
    return RedisCounters.name(key(number), LIMIT.unit().window(NOW));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
