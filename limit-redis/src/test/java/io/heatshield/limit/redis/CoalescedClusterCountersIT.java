package io.heatshield.limit.redis;

import io.heatshield.action.Mode;
import io.heatshield.contract.CounterContract;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.redis.Redis;
import io.heatshield.testkit.redis.RedisClusterFixture;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract of backends, for coalesced counters on three masters. */
class CoalescedClusterCountersIT extends CounterContract {
  private static RedisClusterFixture cluster;
  private static Redis redis;

  private final Coalescers coalescers = new Coalescers();

  /** Returns the mode of the coalescer. */
  Mode mode() {
    return Mode.ENFORCE;
  }

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

  @AfterEach
  void stopCoalescers() {
    coalescers.close();
  }

  @Override
  protected CounterBackend backend(LongSupplier clockMillis) {
    return coalescers.before(new RedisCounters(redis, Duration.ofMinutes(5)), mode());
  }
}
