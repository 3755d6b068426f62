package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.Script;
import io.heatshield.testkit.redis.ScriptedRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cluster routes while slots are assigned, lost or moved. */
class ClusterRouteTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Script SCRIPT = Script.of("return 1");
  private static final String NO_SLOTS = "*0\r\n";

  private volatile String slots = NO_SLOTS;
  private volatile String toAuth = "+OK\r\n";
  private volatile String toEval = ":1\r\n";

  @Test
  void isUp_whenTheClusterIsCreatedAfterTheClient_becomesTrue() {
    try (var server = server();
        var redis = open("", server)) {
      assertThat(redis.awaitUp(Duration.ofMillis(200))).isFalse();

      slots = slots(0, 8000, server);
      assertThat(redis.awaitUp(Duration.ofMillis(200))).isFalse();
      slots = slots(0, 16_383, server);

      assertThat(redis.awaitUp(PATIENCE)).isTrue();
      assertThat(eval(redis).count()).isEqualTo(1);
    }
  }

  @Test
  void eval_whenTheOnlyServerHasLostItsSlots_countsAgainOnceItHasThem() {
    try (var server = server()) {
      slots = slots(0, 16_383, server);
      try (var redis = open("", server)) {
        assertThat(redis.awaitUp(PATIENCE)).isTrue();
        slots = NO_SLOTS;
        toEval = "-CLUSTERDOWN Hash slot not served\r\n";
        long reads = server.count("CLUSTER");

        do {
          assertThat(eval(redis).failure()).isEqualTo(Failure.CLUSTER_DOWN);
        } while (server.count("CLUSTER") < reads + 2);
        slots = slots(0, 16_383, server);
        toEval = ":4\r\n";

        assertThat(redis.awaitUp(PATIENCE)).isTrue();
        assertThat(eval(redis).count()).isEqualTo(4);
      }
    }
  }

  @Test
  void isUp_afterAServerWithInvalidReplies_becomesTrue() {
    toAuth = ":1\r\n";
    try (var server = server();
        var redis = open("user:secret@", server)) {
      slots = slots(0, 16_383, server);
      assertThat(redis.awaitUp(Duration.ofMillis(200))).isFalse();

      toAuth = "+OK\r\n";

      assertThat(redis.awaitUp(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"MOVED", "ASK"})
  void eval_redirectedToAPortWithoutAHost_usesTheSameHost(String code) {
    try (var target = ScriptedRedis.start(words -> replyOfTarget(words.get(0)));
        var server = server()) {
      slots = slots(0, 16_383, server);
      toEval = "-" + code + " 100 :" + target.port() + "\r\n";
      try (var redis = open("", server)) {
        assertThat(redis.awaitUp(PATIENCE)).isTrue();

        assertThat(eval(redis).count()).isEqualTo(9);
      }
    }
  }

  @Test
  void eval_onAServerWithoutSlots_keepsItsConnection() {
    try (var target = ScriptedRedis.start(words -> replyOfTarget(words.get(0)));
        var server = server()) {
      slots = slots(0, 16_383, server);
      toEval = "-ASK 100 127.0.0.1:" + target.port() + "\r\n";
      try (var redis = open("", server)) {
        assertThat(redis.awaitUp(PATIENCE)).isTrue();
        long reads = server.count("CLUSTER");

        do {
          assertThat(eval(redis).count()).isEqualTo(9);
        } while (server.count("CLUSTER") == reads);
        for (int i = 0; i < 50; i++) {
          assertThat(eval(redis).count()).isEqualTo(9);
        }

        assertThat(redis.stats().connects()).isEqualTo(2);
      }
    }
  }

  private ScriptedRedis server() {
    return ScriptedRedis.start(
        words ->
            switch (words.get(0)) {
              case "AUTH" -> toAuth;
              case "CLUSTER" -> slots;
              case "EVALSHA" -> toEval;
              default -> "+PONG\r\n";
            });
  }

  private static String replyOfTarget(String command) {
    return command.equals("EVALSHA") ? ":9\r\n" : "+PONG\r\n";
  }

  private static String slots(int first, int last, ScriptedRedis owner) {
    return String.join(
        "\r\n",
        List.of(
            "*1", "*3", ":" + first, ":" + last, "*2", "$9", "127.0.0.1", ":" + owner.port(), ""));
  }

  private static Redis open(String user, ScriptedRedis server) {
    return Redis.builder(RedisUrl.parse("redis-cluster://" + user + "127.0.0.1:" + server.port()))
        .connections(1)
        .budget(PATIENCE)
        .connectTimeout(PATIENCE)
        .open();
  }

  private static RecordingSink eval(Redis redis) {
    var sink = new RecordingSink();
    redis.eval(SCRIPT, "k".getBytes(StandardCharsets.UTF_8), new byte[0][], sink);
    return sink;
  }
}
