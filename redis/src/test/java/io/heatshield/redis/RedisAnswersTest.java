package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.redis.script.Script;
import io.heatshield.testkit.redis.ScriptedRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server without replies, or with wrong or unexpected ones, does not count as answering. */
class RedisAnswersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Script SCRIPT = Script.of("return 1");

  private volatile String toPing = "+PONG\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-NOAUTH Authentication required.\r\n",
        "-LOADING Redis is loading the dataset in memory\r\n",
        "+OK\r\n",
        ":1\r\n",
      })
  void isUp_connectedToAServerThatDoesNotAnswer_isFalse(String reply) {
    toPing = reply;
    try (var server = ScriptedRedis.start(words -> toPing);
        var redis = open(server, Duration.ofMillis(20))) {

      assertThat(redis.awaitUp(Duration.ofMillis(300))).isFalse();

      toPing = "+PONG\r\n";
      assertThat(redis.awaitUp(PATIENCE)).isTrue();
    }
  }

  @Test
  void eval_afterAnUnexpectedReply_doesNotUseIt() {
    var calls = new AtomicInteger();
    try (var server =
            ScriptedRedis.start(
                words ->
                    !words.get(0).equals("EVALSHA")
                        ? toPing
                        : calls.getAndIncrement() == 0 ? ":5\r\n:77\r\n" : ":6\r\n");
        var redis = open(server, PATIENCE)) {
      assertThat(redis.awaitUp(PATIENCE)).isTrue();

      assertThat(eval(redis, "one")).isEqualTo(5);
      assertThat(eval(redis, "other")).isEqualTo(6);

      assertThat(redis.stats().connects()).isEqualTo(2);
      assertThat(server.count("EVALSHA")).isEqualTo(2);
    }
  }

  private static Redis open(ScriptedRedis server, Duration connectTimeout) {
    return Redis.builder(RedisUrl.parse("redis://127.0.0.1:" + server.port()))
        .connections(1)
        .budget(PATIENCE)
        .connectTimeout(connectTimeout)
        .open();
  }

  private static long eval(Redis redis, String key) {
    var sink = new RecordingSink();
    redis.eval(SCRIPT, key.getBytes(StandardCharsets.UTF_8), new byte[0][], sink);
    return sink.count();
  }
}
