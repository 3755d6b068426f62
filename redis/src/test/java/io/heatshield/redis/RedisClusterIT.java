package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.ScriptedRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** The client with a real cluster of three masters. */
class RedisClusterIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void eval_keysOfAllSlots_areSentToTheirOwners() {
    try (var cluster = RedisClusterFixture.start();
        var redis = open(cluster.uri().toString())) {
      var sink = new ArrayList<RecordingSink>();

      for (int i = 0; i < 300; i++) {
        sink.add(add(redis, "key-" + i));
      }

      assertThat(sink).allMatch(one -> one.count() == 1);
      assertThat(redis.stats().redirects()).isZero();
      for (RedisFixture node : cluster.nodes()) {
        assertThat(Integer.parseInt(node.command("DBSIZE"))).isPositive();
      }
    }
  }

  @Test
  void eval_whileASlotMoves_followsAskAndThenMoved() {
    try (var cluster = RedisClusterFixture.start();
        var redis = open(cluster.uri().toString())) {
      RedisFixture from = cluster.ownerOf("moving");
      RedisFixture to =
          cluster.nodes().stream().filter(node -> node != from).findAny().orElseThrow();
      String slot = from.command("CLUSTER", "KEYSLOT", "moving");
      String source = from.command("CLUSTER", "MYID");
      String target = to.command("CLUSTER", "MYID");

      to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", source);
      from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target);
      assertThat(add(redis, "moving").count()).isEqualTo(1);
      assertThat(to.command("DBSIZE")).isEqualTo("1");
      to.command("CLUSTER", "SETSLOT", slot, "NODE", target);
      from.command("CLUSTER", "SETSLOT", slot, "NODE", target);
      assertThat(add(redis, "moving").count()).isEqualTo(2);

      assertThat(redis.stats().redirects()).isEqualTo(2);
      assertThat(add(redis, "moving").count()).isEqualTo(3);
    }
  }

  @Test
  void eval_whenAMasterIsDown_failsOnlyItsKeys() {
    try (var cluster = RedisClusterFixture.start("cluster-require-full-coverage no");
        var redis = open(cluster.uri().toString())) {
      RedisFixture lost = cluster.nodes().get(1);
      lost.kill();

      for (int i = 0; i < 100; i++) {
        String key = "key-" + i;
        boolean counted = add(redis, key).isCount();
        assertThat(counted).isEqualTo(cluster.ownerOf(key) != lost);
      }
      lost.restart();

      assertThat(redis.awaitUp(PATIENCE)).isTrue();
    }
  }

  @Test
  void eval_redirectedWithoutAddress_failsWithTheReason() {
    var port = new int[1];
    try (var server =
        ScriptedRedis.start(
            words ->
                words.get(0).equals("EVALSHA")
                    ? "-MOVED 1 :nowhere\r\n"
                    : circle(words.get(0), port[0]))) {
      port[0] = server.port();
      try (var redis = open("redis-cluster://127.0.0.1:" + server.port())) {
        assertThat(add(redis, "k").failure()).isEqualTo(Failure.REDIRECTED_TOO_OFTEN);
      }
    }
  }

  @Test
  void eval_redirectedInACircle_failsAfterThreeHops() {
    var port = new int[1];
    try (var circle = ScriptedRedis.start(words -> circle(words.get(0), port[0]))) {
      port[0] = circle.port();
      try (var redis = open("redis-cluster://127.0.0.1:" + circle.port())) {
        assertThat(add(redis, "k").failure()).isEqualTo(Failure.REDIRECTED_TOO_OFTEN);
        assertThat(circle.count("EVALSHA")).isEqualTo(1 + ClusterRoute.MAX_REDIRECTS);
      }
    }
  }

  /** Claims all slots, and redirects every command. */
  private static String circle(String command, int port) {
    return switch (command) {
      case "CLUSTER" -> "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + port + "\r\n";
      case "EVALSHA" -> "-MOVED 7629 127.0.0.1:" + port + "\r\n";
      default -> "+PONG\r\n";
    };
  }

  private static RecordingSink add(Redis redis, String key) {
    var sink = new RecordingSink();
    byte[][] one = {{'1'}};
    redis.eval(RedisIT.ADD, key.getBytes(StandardCharsets.UTF_8), one, sink);
    return sink;
  }

  private static Redis open(String url) {
    Redis redis =
        Redis.builder(RedisUrl.parse(url))
            .budget(Duration.ofSeconds(2))
            .connectTimeout(Duration.ofSeconds(2))
            .open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return redis;
  }
}
