package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.testkit.redis.RedisFixture;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.Tuple;

/** Unmodified Jedis and Lettuce through the shield, in both protocols and on every type. */
class ShieldClientsIT {
  private static final RedisFixture redis = RedisFixture.start();

  @AutoClose
  private static final OpenShield shield =
      OpenShield.of(redis.uri(), OpenShield.HOT_READS, "timeout: 20s")
          .closing(redis)
          .awaitTracking();

  @BeforeEach
  void clear() {
    redis.command("FLUSHALL");
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void jedis_onEveryType_getsWhatRedisAnswers(RedisProtocol protocol) {
    try (Jedis jedis = jedis(protocol)) {
      assertThat(jedis.set("s", "1")).isEqualTo("OK");
      for (int i = 0; i < 10; i++) {
        assertThat(jedis.get("s")).isEqualTo("1");
      }
      assertThat(jedis.incrBy("s", 41)).isEqualTo(42);
      assertThat(jedis.get("s")).isEqualTo("42");
      assertThat(jedis.mget("s", "none")).containsExactly("42", null);
      jedis.hset("h", Map.of("a", "1", "b", "2"));
      assertThat(jedis.hgetAll("h")).containsOnly(Map.entry("a", "1"), Map.entry("b", "2"));
      jedis.rpush("l", "x", "y", "z");
      assertThat(jedis.lrange("l", 0, -1)).containsExactly("x", "y", "z");
      assertThat(jedis.blpop(1, "l")).containsExactly("l", "x");
      jedis.sadd("set", "m");
      assertThat(jedis.sismember("set", "m")).isTrue();
      jedis.zadd("z", 2.5, "m");
      assertThat(jedis.zrangeWithScores("z", 0, -1)).containsExactly(new Tuple("m", 2.5));
      jedis.xadd("x", Map.of("f", "v"), XAddParams.xAddParams());
      assertThat(jedis.xread(XReadParams.xReadParams().count(1), Map.of("x", new StreamEntryID())))
          .hasSize(1);
      assertThat(jedis.eval("return {KEYS[1], ARGV[1]}", 1, "k", "v")).isEqualTo(List.of("k", "v"));
      assertThat(jedis.clientGetname()).isEqualTo("tester");
      assertThat(jedis.objectEncoding("s")).isEqualTo("int");
      assertThatThrownBy(() -> jedis.lpush("s", "v"))
          .isInstanceOf(JedisDataException.class)
          .hasMessageStartingWith("WRONGTYPE");
    }
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void jedis_inPipelinesAndTransactions_keepsItsOrder(RedisProtocol protocol) {
    try (Jedis jedis = jedis(protocol)) {
      Pipeline pipeline = jedis.pipelined();
      var replies = new ArrayList<Response<String>>();
      for (int i = 0; i < 500; i++) {
        pipeline.set("k", "v" + i);
        replies.add(pipeline.get("k"));
      }
      pipeline.sync();
      for (int i = 0; i < 500; i++) {
        assertThat(replies.get(i).get()).isEqualTo("v" + i);
      }
      jedis.watch("k");
      Transaction transaction = jedis.multi();
      Response<String> before = transaction.get("k");
      transaction.set("k", "done");

      assertThat(transaction.exec()).hasSize(2);
      assertThat(before.get()).isEqualTo("v499");
      assertThat(jedis.get("k")).isEqualTo("done");
    }
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void lettuce_asynchronouslyAndSubscribed_getsWhatRedisAnswers(ProtocolVersion version)
      throws Exception {
    RedisClient client =
        RedisClient.create(
            RedisURI.builder()
                .withHost(shield.host())
                .withPort(shield.port())
                .withClientName("tester")
                .withTimeout(Duration.ofSeconds(20))
                .build());
    client.setOptions(ClientOptions.builder().protocolVersion(version).build());
    try (StatefulRedisConnection<String, String> connection = client.connect();
        StatefulRedisPubSubConnection<String, String> listening = client.connectPubSub()) {
      RedisCommands<String, String> sync = connection.sync();
      assertThat(sync.set("a", "1", SetArgs.Builder.nx().px(100_000))).isEqualTo("OK");
      var gets = new ArrayList<RedisFuture<String>>();
      for (int i = 0; i < 1000; i++) {
        gets.add(connection.async().get("a"));
      }
      for (RedisFuture<String> get : gets) {
        assertThat(get.get(20, TimeUnit.SECONDS)).isEqualTo("1");
      }
      assertThat(
              sync.<Long>eval("return redis.call('INCR', KEYS[1])", ScriptOutputType.INTEGER, "a"))
          .isEqualTo(2);
      assertThat(sync.get("a")).isEqualTo("2");
      assertThat(sync.clientGetname()).isEqualTo("tester");
      sync.select(2);
      assertThat(sync.get("a")).isNull();
      var heard = new CompletableFuture<String>();
      listening.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
              heard.complete(channel + " " + message);
            }
          });
      listening.sync().subscribe("news");
      sync.publish("news", "hello");

      assertThat(heard.get(20, TimeUnit.SECONDS)).isEqualTo("news hello");
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }
  }

  private static Jedis jedis(RedisProtocol protocol) {
    return new Jedis(
        new HostAndPort(shield.host(), shield.port()),
        DefaultJedisClientConfig.builder()
            .protocol(protocol)
            .clientName("tester")
            .timeoutMillis(20_000)
            .build());
  }
}
