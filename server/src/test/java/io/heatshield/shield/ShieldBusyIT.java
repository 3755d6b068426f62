package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** A Redis that is busy with a script, which clients of the shield can kill. */
class ShieldBusyIT {
  private static final String ENDLESS = "while true do end";

  @Test
  void upstream_busyForLongerThanTheTimeout_repliesBusyAndAcceptsScriptKill() {
    try (RedisFixture redis = RedisFixture.start("busy-reply-threshold 2500");
        OpenShield shield = open(redis.uri(), "timeout: 1s");
        RawResp direct = RawResp.open(redis.host(), redis.port());
        RawResp script = RawResp.open(redis.host(), redis.port());
        RawResp waiting = shield.connect()) {
      heat(shield, waiting);
      script.send("EVAL", ENDLESS, "0");
      OpenShield.await(() -> shield.metric("heatshield_shield_tracking_up") == 0);

      assertThat(waiting.send("SET", "j", "w").rest())
          .matches("-UNAVAILABLE the upstream has not answered for \\d+ s, the command may .*\r\n");
      assertThat(direct.call("PING")).startsWith("-BUSY ");

      OpenShield.await(() -> ask(shield, "PING").startsWith("-BUSY "));
      try (RawResp client = shield.connect()) {
        assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
        assertThat(client.call("GET", "other")).startsWith("-BUSY ");
        assertThat(client.call("SCRIPT", "KILL")).isEqualTo("+OK\r\n");
        assertThat(script.reply()).startsWith("-ERR Script killed by user");
        assertThat(client.call("SET", "j", "w")).isEqualTo("+OK\r\n");
      }
    }
  }

  @Test
  void script_longerThanTheTimeout_isNotAbortedWhileTheUpstreamRepliesBusy() {
    try (RedisFixture redis = RedisFixture.start("busy-reply-threshold 100");
        OpenShield shield = open(redis.uri(), "timeout: 1s");
        RawResp client = shield.connect();
        RawResp reader = shield.connect()) {
      heat(shield, reader);

      client.send(
          "EVAL",
          "local t = redis.call('TIME')[1] while redis.call('TIME')[1] - t < 4 do end return 7",
          "0");
      OpenShield.await(() -> ask(shield, "PING").startsWith("-BUSY "));

      assertThat(reader.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(client.reply()).isEqualTo(":7\r\n");
      assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void scriptKill_toAnUpstreamThatDoesNotReply_isSent() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield = open(redis.uri(), "timeout: 3s");
        RawResp waiting = shield.connect();
        RawResp killer = shield.connect()) {
      redis.pause();
      try {
        assertThat(waiting.send("SET", "j", "w").rest()).startsWith("-UNAVAILABLE");
        assertThat(ask(shield, "SET", "j", "w"))
            .matches("-UNAVAILABLE the upstream has not answered for \\d+ s, nothing was .*\r\n");
        killer.send("SCRIPT", "KILL");
      } finally {
        redis.resume();
      }

      assertThat(killer.reply()).startsWith("-NOTBUSY");
    }
  }

  @Test
  void scriptKill_oneNodeOfAClusterIsBusy_isAnsweredByThatNode() {
    try (RedisClusterFixture cluster = RedisClusterFixture.start("busy-reply-threshold 100");
        OpenShield shield = open(cluster.uri(), "timeout: 20s");
        RawResp script = shield.connect();
        RawResp client = shield.connect()) {
      assertThat(client.call("SCRIPT", "KILL")).startsWith("-NOTBUSY");

      script.send("EVAL", ENDLESS, "1", "k");
      OpenShield.await(() -> client.call("SET", "k", "v").startsWith("-BUSY "));

      assertThat(client.call("SCRIPT", "KILL")).isEqualTo("+OK\r\n");
      assertThat(script.reply()).startsWith("-ERR Script killed by user");
      assertThat(client.call("SET", "k", "v")).isEqualTo("+OK\r\n");
    }
  }

  private static OpenShield open(URI upstream, String timeout) {
    return OpenShield.of(
            upstream, timeout, "hot_reads: { mode: enforce, threshold: 2, max_stale: 1h }")
        .awaitTracking();
  }

  private static String ask(OpenShield shield, String... words) {
    try (RawResp client = shield.connect()) {
      return client.call(words);
    }
  }

  /** Reads a key until memory answers; by then the invalidation of its own write has arrived. */
  private static void heat(OpenShield shield, RawResp client) {
    client.call("SET", "k", "v");
    OpenShield.await(
        () -> {
          for (int i = 0; i < 100; i++) {
            assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
          }
          return shield.metric("heatshield_shield_cache_hits") > 200;
        });
  }
}
