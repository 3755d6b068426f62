package io.heatshield.bench.failover;

import io.heatshield.testkit.redis.RedisSentinelFixture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisSentinelClient;

/** Jedis by sentinel, with its pool. */
final class JedisContestant implements Contestant {
  private final RedisSentinelClient redis;

  JedisContestant(RedisSentinelFixture sentinels) {
    redis =
        RedisSentinelClient.builder()
            .masterName(RedisSentinelFixture.MASTER)
            .sentinels(
                sentinels.ports().stream()
                    .map(port -> new HostAndPort("127.0.0.1", port))
                    .collect(Collectors.toSet()))
            .build();
  }

  @Override
  public String name() {
    return "Jedis";
  }

  @Override
  public Session open() {
    return new Session() {
      @Override
      public void add(String set, String member) {
        redis.sadd(set, member);
      }

      @Override
      public void set(String key, String value) {
        redis.set(key, value);
      }

      @Override
      public @Nullable String get(String key) {
        return redis.get(key);
      }

      @Override
      public boolean pass(String key, long limit) {
        return redis.incr(key) <= limit;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {
    redis.close();
  }
}
