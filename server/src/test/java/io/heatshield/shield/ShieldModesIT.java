package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import org.junit.jupiter.api.Test;

/** The actions of the shield, observed and enforced. */
class ShieldModesIT {
  @Test
  void observe_ofEveryAction_countsAndChangesNothing() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield =
            OpenShield.of(
                    redis.uri(),
                    "hot_reads: { mode: observe, threshold: 2, max_stale: 1m }",
                    "write_limit: { mode: observe, per_window: 3 }")
                .awaitTracking();
        RawResp client = shield.connect()) {
      for (int i = 0; i < 10; i++) {
        assertThat(client.call("SET", "k", "v")).isEqualTo("+OK\r\n");
      }
      redis.command("CONFIG", "RESETSTAT");
      for (int i = 0; i < 50; i++) {
        assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      }

      assertThat(redis.command("INFO", "commandstats"))
          .contains("cmdstat_get:calls=50,")
          .doesNotContain("cmdstat_pttl:");
      String savings = shield.get("api/v1/savings");
      assertThat(count(savings, "hot_reads", "would_have_applied")).isGreaterThan(40);
      assertThat(count(savings, "clamp", "would_have_applied")).isGreaterThan(3);
      assertThat(count(savings, "hot_reads", "applied")).isZero();
      assertThat(count(savings, "clamp", "applied")).isZero();
    }
  }

  @Test
  void explain_hotReadsObservedThenEnforced_countsTheEffectsOnTheKey() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield =
            OpenShield.of(redis.uri(), "hot_reads: { mode: enforce, threshold: 2, max_stale: 1m }")
                .awaitTracking();
        RawResp client = shield.connect()) {
      client.call("SET", "k", "v");
      for (int i = 0; i < 500; i++) {
        client.call("GET", "k");
      }

      String explained = shield.get("api/v1/keys/k?scope=shield");

      assertThat(explained)
          .contains("\"setting\":\"shield.hot_reads.mode\"", "\"in_effect\":true")
          .containsPattern("\"action\":\"hot_reads\",\"mode\":\"enforce\",\"acted\":[1-9]")
          .containsPattern("[1-9][0-9]* reads were answered from memory\\.");
    }
  }

  @Test
  void enforce_ofWriteLimits_rejectsWritesOfAHotKeyButNoDelete() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield =
            OpenShield.of(redis.uri(), "write_limit: { mode: enforce, per_window: 5 }");
        RawResp client = shield.connect()) {
      String last = "";
      for (int i = 0; i < 20; i++) {
        last = client.call("INCR", "k");
      }

      assertThat(last).startsWith("-THROTTLED key is hot, retry in ");
      assertThat(client.call("SET", "other", "v")).isEqualTo("+OK\r\n");
      assertThat(client.call("DEL", "k")).isEqualTo(":1\r\n");
      assertThat(client.call("MULTI")).isEqualTo("+OK\r\n");
      assertThat(client.call("SET", "k", "v")).isEqualTo("+QUEUED\r\n");
      assertThat(client.call("EXEC")).isEqualTo("*1\r\n+OK\r\n");
    }
  }

  @Test
  void explanation_ofAHotKey_hasEveryUseThatWasAnswered() {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield = OpenShield.of(redis.uri());
        RawResp client = shield.connect()) {
      for (int i = 0; i < 100; i++) {
        client.call("GET", "k");
      }
      long before = number(shield.explain("k"), "reads");

      for (int i = 0; i < 10; i++) {
        client.call("GET", "k");
      }

      assertThat(before).isPositive();
      assertThat(number(shield.explain("k"), "reads")).isEqualTo(before + 10);
    }
  }

  private static long number(String json, String field) {
    String name = "\"" + field + "\":";
    assertThat(json).contains(name);
    return Long.parseLong(json.substring(json.indexOf(name) + name.length()).split("[,}]", -1)[0]);
  }

  private static long count(String savings, String action, String field) {
    return number(savings.substring(savings.indexOf("\"" + action + "\"")), field);
  }
}
