package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unmodified Lettuce, in both protocols. */
class LettuceIT {
  private final DataPortFixture port = DataPortFixture.open();
  private final RedisClient client =
      RedisClient.create(
          RedisURI.builder()
              .withHost("127.0.0.1")
              .withPort(port.port())
              .withClientName("tester")
              .withTimeout(Duration.ofSeconds(20))
              .build());

  @AfterEach
  void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    port.close();
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void strings_keysAndErrors_areAsWithRedis(ProtocolVersion version) {
    speak(version);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      RedisCommands<String, String> redis = connection.sync();

      assertThat(redis.set("a", "1", SetArgs.Builder.nx().px(100_000))).isEqualTo("OK");
      assertThat(redis.set("a", "2", SetArgs.Builder.nx())).isNull();
      assertThat(redis.incr("a")).isEqualTo(2);
      assertThat(redis.pttl("a")).isBetween(50_000L, 100_000L);
      assertThat(redis.getex("a", io.lettuce.core.GetExArgs.Builder.persist())).isEqualTo("2");
      assertThat(redis.ttl("a")).isEqualTo(-1);
      assertThat(redis.clientGetname()).isEqualTo("tester");
      assertThat(redis.commandCount()).isGreaterThan(50);
      assertThat(redis.command()).isNotEmpty();
      assertThat(redis.commandInfo("get")).hasSize(1);
      assertThatThrownBy(() -> redis.incrby("a", Long.MAX_VALUE))
          .isInstanceOf(RedisCommandExecutionException.class)
          .hasMessage("ERR increment or decrement would overflow");
      KeyScanCursor<String> page = redis.scan(ScanArgs.Builder.matches("a*").limit(10_000));
      assertThat(page.getKeys()).containsExactly("a");
      redis.multi();
      redis.set("t", "v");
      redis.get("t");
      assertThat(redis.exec().stream().toList()).containsExactly("OK", "v");
      assertThat(redis.time()).hasSize(2);
      assertThat(redis.memoryUsage("a")).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void manyAtOnce_areAnsweredInOrder(ProtocolVersion version) throws Exception {
    speak(version);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      List<RedisFuture<Long>> answers = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        answers.add(connection.async().incr("counter"));
      }

      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i + 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void subscriber_receivesHotKeys(ProtocolVersion version) throws Exception {
    speak(version);
    var heard = new CompletableFuture<String>();
    try (StatefulRedisPubSubConnection<String, String> listener = client.connectPubSub();
        StatefulRedisConnection<String, String> connection = client.connect()) {
      listener.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
              heard.complete(message);
            }
          });
      listener.sync().subscribe("__hotkey__");
      for (int i = 0; i < 200; i++) {
        connection.sync().get("burning");
      }

      assertThat(heard.get(20, TimeUnit.SECONDS)).contains("\"event\":\"hot\"", "burning");
    }
  }

  private void speak(ProtocolVersion version) {
    client.setOptions(ClientOptions.builder().protocolVersion(version).build());
  }
}
