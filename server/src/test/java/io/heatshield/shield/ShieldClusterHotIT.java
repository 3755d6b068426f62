package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisClusterFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Hot keys of a cluster of three masters behind the shield. */
class ShieldClusterHotIT {
  private static final RedisClusterFixture cluster = RedisClusterFixture.start();

  @AutoClose
  private static final OpenShield shield =
      OpenShield.of(cluster.uri(), "timeout: 20s", OpenShield.HOT_READS, OpenShield.NO_WRITE_LIMIT)
          .closing(cluster)
          .awaitTracking();

  @Test
  void keys_ofEveryCommand_areCountedAndServedFromMemory() {
    try (RawResp client = shield.connect()) {
      for (int i = 0; i < 50; i++) {
        client.call("MSET", "a", "1", "b", "2", "c", "3");
      }
      for (int i = 0; i < 50; i++) {
        for (String key : new String[] {"a", "b", "c"}) {
          client.call("GET", key);
        }
      }
      double before = shield.metric("heatshield_shield_cache_hits");

      assertThat(client.call("MGET", "c", "a", "b"))
          .isEqualTo("*3\r\n" + OpenShield.bulk("3") + OpenShield.bulk("1") + OpenShield.bulk("2"));

      assertThat(shield.metric("heatshield_shield_cache_hits") - before).isEqualTo(3);
      assertThat(shield.explain("b")).contains("\"state\":\"hot\"", "\"mset\":", "\"get\":");
    }
  }

  @Test
  void foreignAndOwnWrites_againstHotKeysOfAllNodes_areSeen() {
    String[] keys = {"a", "b", "c"};
    try (RawResp client = shield.connect();
        RawResp other = shield.connect()) {
      double before = shield.metric("heatshield_shield_cache_hits");
      for (int i = 0; i < 1000; i++) {
        String key = keys[i % 3];
        String value = Integer.toString(1000 + i);
        cluster.command("SET", key, value);
        OpenShield.await(() -> client.call("GET", key).equals(OpenShield.bulk(value)));
        client.call("GET", key);
        client.call("GET", key);
        String own = Integer.toString(3000 + i);
        client.call("MSET", keys[(i + 1) % 3], "0", key, own);
        assertThat(client.call("GET", key)).isEqualTo(OpenShield.bulk(own));
        assertThat(other.call("GET", key)).isEqualTo(OpenShield.bulk(own));
      }

      assertThat(shield.metric("heatshield_shield_cache_hits") - before).isGreaterThan(100);
    }
  }
}
