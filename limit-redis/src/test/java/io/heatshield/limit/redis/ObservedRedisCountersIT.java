package io.heatshield.limit.redis;

import io.heatshield.action.Mode;
import io.heatshield.contract.CounterContract;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.redis.Redis;
import io.heatshield.testkit.redis.RedisFixture;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract of backends, for counters on one real server with an observing coalescer. */
class ObservedRedisCountersIT extends CounterContract {
  private static RedisFixture server;
  private static Redis redis;

  private final Coalescers coalescers = new Coalescers();

  @BeforeAll
  static void start() {
    server = RedisFixture.start();
    redis = Counting.open(server.uri(), Duration.ofSeconds(5));
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
    return coalescers.before(new RedisCounters(redis, Duration.ofMinutes(5)), Mode.OBSERVE);
  }
}
