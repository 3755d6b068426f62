package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Replies to clients while the upstream is killed, stopped and restarted. */
class ShieldDownIT {
  private final RedisFixture redis = RedisFixture.start();

  @AutoClose
  private final OpenShield shield =
      OpenShield.of(
              redis.uri(),
              "timeout: 1s",
              "hot_reads: { mode: enforce, threshold: 2, max_stale: 1h }",
              OpenShield.NO_WRITE_LIMIT)
          .closing(redis)
          .awaitTracking();

  @Test
  void upstream_killedAndRestarted_failsWithAnErrorAndRecovers() {
    try (RawResp old = shield.connect();
        RawResp waiting = shield.connect()) {
      heat(old);
      waiting.send("BLPOP", "list", "0");
      OpenShield.await(() -> redis.command("CLIENT", "LIST").contains("flags=b"));

      redis.kill();

      assertThat(waiting.rest()).startsWith("-UNAVAILABLE the connection to the upstream was lost");
      assertThat(old.rest()).isEmpty();
    }
    try (RawResp client = shield.connect()) {
      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("SET", "k", "w")).startsWith("-UNAVAILABLE the upstream cannot be");
      assertThat(client.call("GET", "other")).startsWith("-UNAVAILABLE the upstream cannot be");
      redis.restart();
      OpenShield.await(() -> client.call("SET", "k", "w").equals("+OK\r\n"));

      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nw\r\n");
      shield.awaitTracking();
      heat(client);
    }
  }

  @Test
  void largeValue_whileTheUpstreamIsDown_isRefusedAndTheConnectionStaysOpen() {
    redis.kill();
    try (RawResp client = shield.connect()) {
      String large = "x".repeat(3 << 20);

      assertThat(client.call("SET", "k", large)).startsWith("-UNAVAILABLE");
      assertThat(client.call("PING")).startsWith("-UNAVAILABLE");
    }
  }

  @Test
  void upstream_stopped_timesOutAndRecoversWhenItContinues() {
    try (RawResp client = shield.connect();
        RawResp reader = shield.connect()) {
      heat(client);
      redis.pause();
      try {
        OpenShield.await(() -> shield.metric("heatshield_shield_tracking_up") == 0);

        client.send("GET", "k").send("SET", "j", "w");
        reader.send("GET", "none");

        assertThat(client.rest())
            .startsWith("$1\r\nv\r\n-UNAVAILABLE the upstream has not answered for");
        assertThat(reader.rest()).startsWith("-UNAVAILABLE the upstream has not answered for");
        try (RawResp late = shield.connect()) {
          assertThat(late.call("GET", "k")).startsWith("$1\r\nv\r\n");
          assertThat(late.call("GET", "none"))
              .matches("-UNAVAILABLE the upstream has not answered for \\d+ s, nothing was .*\r\n");
        }
      } finally {
        redis.resume();
      }
      OpenShield.await(
          () -> {
            try (RawResp next = shield.connect()) {
              return next.call("SET", "k", "x").equals("+OK\r\n");
            }
          });
    }
  }

  @Test
  void upstream_stoppedAndThenRefusingTracking_recovers() {
    redis.command("ACL", "SETUSER", "default", "-client|tracking");
    try (RawResp client = shield.connect()) {
      redis.pause();
      try {
        assertThat(client.send("SET", "k", "v").rest()).startsWith("-UNAVAILABLE");
      } finally {
        redis.resume();
      }
    }

    OpenShield.await(
        () -> {
          try (RawResp next = shield.connect()) {
            return next.call("SET", "k", "x").equals("+OK\r\n");
          }
        });
  }

  /** Reads a key until it is answered from memory. */
  private void heat(RawResp client) {
    client.call("SET", "k", "v");
    OpenShield.await(
        () -> {
          String before = readsOfTheRedis();
          assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
          return !before.isEmpty() && readsOfTheRedis().equals(before);
        });
  }

  private String readsOfTheRedis() {
    return redis
        .command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_get:"))
        .map(line -> line.substring(0, line.indexOf(',')))
        .findFirst()
        .orElse("");
  }
}
