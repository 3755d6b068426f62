package io.heatshield.bench.failover;

import io.heatshield.testkit.redis.RedisSentinelFixture;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Lettuce in its mode that follows sentinels, reading from the master only. */
final class LettuceContestant implements Contestant {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final RedisClient client = RedisClient.create();
  private final StatefulRedisMasterReplicaConnection<String, String> connection;

  LettuceContestant(RedisSentinelFixture sentinels) {
    int first = sentinels.ports().get(0);
    RedisURI.Builder uri =
        RedisURI.Builder.sentinel("127.0.0.1", first, RedisSentinelFixture.MASTER)
            .withTimeout(PATIENCE);
    sentinels.ports().stream().skip(1).forEach(port -> uri.withSentinel("127.0.0.1", port));
    connection = MasterReplica.connect(client, StringCodec.UTF8, uri.build());
    connection.setReadFrom(ReadFrom.UPSTREAM);
  }

  @Override
  public String name() {
    return "Lettuce";
  }

  @Override
  public Session open() {
    RedisCommands<String, String> redis = connection.sync();
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
    connection.close();
    client.shutdown();
  }
}
