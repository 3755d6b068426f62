package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RedisSentinelFixture;
import io.heatshield.testkit.redis.ScriptedSentinel;
import java.io.UncheckedIOException;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shield in front of sentinels that make another server the master. */
@Timeout(180)
class ShieldFailoverIT {
  private static final String[] HOT = {
    "timeout: 1m",
    "hot_reads: { mode: enforce, threshold: 2, max_stale: 1h }",
    OpenShield.NO_WRITE_LIMIT
  };

  @Test
  void plannedFailover_closesConnectionsToTheOldMasterWhileItAcceptsWrites() {
    try (var sentinels = RedisSentinelFixture.start();
        OpenShield shield = OpenShield.of(sentinels.uri(), HOT).awaitTracking();
        RawResp early = shield.connect()) {
      RedisFixture old = sentinels.master();
      RedisFixture next = sentinels.replica();
      heat(early, "old");

      sentinels.killSentinel(2);
      sentinels.failover();
      OpenShield.await(() -> !isWritten(early));

      assertThat(old.command("ROLE")).startsWith("master");
      assertThat(next.command("ROLE")).startsWith("master");
      next.command("SET", "k", "new");
      try (RawResp late = shield.connect()) {
        assertThat(late.call("GET", "k")).isEqualTo("$3\r\nnew\r\n");
        assertThat(late.call("SET", "own", "1")).isEqualTo("+OK\r\n");
        assertThat(late.call("GET", "own")).isEqualTo("$1\r\n1\r\n");
        assertThat(next.command("GET", "own")).isEqualTo("1");
        assertThat(old.command("GET", "own")).isEqualTo("(nil)");
        shield.awaitTracking();
        heat(late, "newer");
      }
    }
  }

  @Tag("thorough")
  @Test
  void master_thatHangs_isReplacedWhenSentinelsNameAnother() {
    try (var sentinels = RedisSentinelFixture.start();
        OpenShield shield = OpenShield.of(sentinels.uri(), HOT).awaitTracking();
        RawResp early = shield.connect()) {
      RedisFixture old = sentinels.master();
      RedisFixture next = sentinels.replica();
      heat(early, "old");

      old.pause();
      early.send("SET", "own", "0");

      assertThat(early.rest()).startsWith("-UNAVAILABLE the connection to the upstream was lost");
      try (RawResp late = shield.connect()) {
        assertThat(late.call("SET", "own", "1")).isEqualTo("+OK\r\n");
        assertThat(late.call("GET", "own")).isEqualTo("$1\r\n1\r\n");
      }
      assertThat(next.command("GET", "own")).isEqualTo("1");
      old.resume();
    }
  }

  @Test
  void master_thatBecomesAReplica_isNotUsedUntilItIsAMasterAgain() {
    try (RedisFixture redis = RedisFixture.start();
        var sentinel = ScriptedSentinel.of(redis.port());
        OpenShield shield =
            OpenShield.of(
                    URI.create("redis-sentinel://127.0.0.1:" + sentinel.port() + "#main"), HOT)
                .awaitTracking();
        RawResp early = shield.connect()) {
      heat(early, "old");
      redis.command("REPLICAOF", "127.0.0.1", "1");

      assertThat(early.call("SET", "k", "1")).startsWith("-READONLY ");
      assertThat(early.rest()).isEmpty();
      OpenShield.await(
          () -> {
            try (RawResp late = shield.connect()) {
              return late.call("GET", "other").startsWith("-UNAVAILABLE the upstream cannot");
            }
          });
      redis.command("REPLICAOF", "NO", "ONE");

      OpenShield.await(
          () -> {
            try (RawResp late = shield.connect()) {
              return late.call("SET", "k", "2").equals("+OK\r\n");
            }
          });
      assertThat(redis.command("GET", "k")).isEqualTo("2");
    }
  }

  /** Sets a key and reads it until memory answers. */
  private static void heat(RawResp client, String value) {
    assertThat(client.call("SET", "k", value)).isEqualTo("+OK\r\n");
    for (int i = 0; i < 20; i++) {
      assertThat(client.call("GET", "k")).isEqualTo("$" + value.length() + "\r\n" + value + "\r\n");
    }
  }

  private static boolean isWritten(RawResp client) {
    try {
      return client.call("SET", "ballast", "1").equals("+OK\r\n");
    } catch (IllegalStateException | UncheckedIOException ended) {
      return false;
    }
  }
}
