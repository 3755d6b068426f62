package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Absent keys: observed with other writers, answered with exclusive writers. */
class ShieldAbsenceIT {
  @Test
  void observe_withForeignWriters_neverDisagrees() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield = OpenShield.of(redis.uri(), "absence: { mode: enforce }");
        RawResp client = shield.connect()) {
      redis.command("SET", "there", "v");
      awaitFilter(shield);
      var random = new Random(3);
      for (int i = 0; i < 3000; i++) {
        String key = "k" + random.nextInt(500);
        if (i % 3 == 0) {
          redis.command("SET", key, "v");
        } else if (i % 7 == 0) {
          redis.command("DEL", key);
        }
        assertThat(client.call("GET", key)).isEqualTo(direct(redis, key));
      }
      OpenShield.await(() -> redis.command("PING").equals("PONG"));

      assertThat(shield.get("api/v1/savings")).contains("\"absence\"");
      assertThat(observed(shield)).isGreaterThan(100);
      assertThat(shield.metric("heatshield_shield_absence_disagreements")).isZero();
    }
  }

  @Test
  void enforce_withExclusiveWriters_answersAbsentKeysWithoutTheUpstream() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield =
            OpenShield.of(
                redis.uri(),
                "writers: exclusive",
                "absence: { mode: enforce }",
                OpenShield.NO_WRITE_LIMIT);
        RawResp client = shield.connect();
        RawResp third = shield.connect()) {
      awaitFilter(shield);
      third.call("HELLO", "3");
      redis.command("CONFIG", "RESETSTAT");

      for (int i = 0; i < 100; i++) {
        assertThat(client.call("GET", "none" + i)).isEqualTo("$-1\r\n");
        assertThat(third.call("GET", "none" + i)).isEqualTo("_\r\n");
      }
      assertThat(redis.command("INFO", "commandstats")).doesNotContain("cmdstat_get:");

      for (int i = 0; i < 200; i++) {
        String key = "none" + i;
        String script = "return redis.call('SET', 'none" + i + "', 'v')";
        if (i % 2 == 0) {
          client.call("SET", key, "v");
        } else {
          client.call("EVAL", script, "0");
        }
        assertThat(third.call("GET", key)).isEqualTo("$1\r\nv\r\n");
      }
    }
  }

  @Test
  void absence_ofMoreKeysThanTheFilterHolds_isForwardedUntilTheyFit() {
    try (RedisFixture redis = RedisFixture.start()) {
      fill(redis, 400_000);
      try (OpenShield shield =
              OpenShield.of(
                  redis.uri(),
                  "writers: exclusive",
                  "max_memory: 1MiB",
                  "absence: { mode: enforce }");
          RawResp client = shield.connect()) {
        shield.awaitTracking();
        OpenShield.await(() -> redis.command("INFO", "commandstats").contains("cmdstat_dbsize:"));
        assertThat(client.call("GET", "none")).isEqualTo("$-1\r\n");
        assertThat(shield.metric("heatshield_shield_absence_complete")).isZero();

        redis.command("FLUSHALL");

        awaitFilter(shield);
      }
    }
  }

  @Test
  void filter_whileNewKeysAreWritten_becomesCompleteAndMissesNoKey() {
    try (RedisFixture redis = RedisFixture.start()) {
      fill(redis, 100_000);
      try (OpenShield shield =
              OpenShield.of(
                  redis.uri(),
                  "writers: exclusive",
                  "absence: { mode: enforce }",
                  "hot_reads: { mode: 'off' }",
                  OpenShield.NO_WRITE_LIMIT);
          RawResp client = shield.connect()) {
        var written = new AtomicInteger();

        OpenShield.await(
            () -> {
              for (int i = 0; i < 100; i++) {
                assertThat(client.call("SET", "new" + written.getAndIncrement(), "v"))
                    .isEqualTo("+OK\r\n");
              }
              return shield.metric("heatshield_shield_absence_complete") == 1;
            });

        for (int i = 0; i < written.get(); i++) {
          assertThat(client.call("GET", "new" + i)).isEqualTo("$1\r\nv\r\n");
        }
        assertThat(client.call("GET", "none")).isEqualTo("$-1\r\n");
      }
    }
  }

  private static void fill(RedisFixture redis, int keys) {
    redis.command("EVAL", "for i = 1, ARGV[1] do redis.call('SET', i, 'v') end", "0", "" + keys);
  }

  private static void awaitFilter(OpenShield shield) {
    shield.awaitTracking();
    OpenShield.await(() -> shield.metric("heatshield_shield_absence_complete") == 1);
  }

  private static String direct(RedisFixture redis, String key) {
    return redis.command("EXISTS", key).equals("1") ? "$1\r\nv\r\n" : "$-1\r\n";
  }

  private static long observed(OpenShield shield) {
    String savings = shield.get("api/v1/savings");
    String part = savings.substring(savings.indexOf("\"absence\""));
    String count = part.substring(part.indexOf("would_have_applied\":") + 20);
    return Long.parseLong(count.split("[,}]", -1)[0]);
  }
}
