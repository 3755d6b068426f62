package io.heatshield.limit.redis;

import io.heatshield.contract.CounterContract;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.redis.Redis;
import io.heatshield.testkit.redis.RedisClusterFixture;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of backends, for the Redis backend on a cluster of three masters. */
class RedisClusterCountersIT extends CounterContract {
  private static RedisClusterFixture cluster;
  private static Redis redis;

  @BeforeAll
  static void start() {
    cluster = RedisClusterFixture.start();
    redis = Counting.open(cluster.uri(), Duration.ofSeconds(5));
  }

  @AfterAll
  static void stop() {
    redis.close();
    cluster.close();
  }

  @Override
  protected CounterBackend backend(LongSupplier clockMillis) {
    return new RedisCounters(redis, Duration.ofMinutes(5));
  }
}
