package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster behind the shield whose slots migrate and whose nodes fail and recover. */
class ShieldClusterChangeIT {
  private final RedisClusterFixture cluster =
      RedisClusterFixture.start("cluster-node-timeout 1000");

  @AutoClose
  private final OpenShield shield =
      OpenShield.of(
              cluster.uri(),
              "timeout: 2s",
              "hot_reads: { mode: enforce, threshold: 2, max_stale: 1h }",
              OpenShield.NO_WRITE_LIMIT)
          .closing(cluster)
          .awaitTracking();

  @Test
  void slot_movedToAnotherNode_isFollowedInOrder() {
    RedisFixture from = cluster.ownerOf("k");
    RedisFixture to = another(from);
    try (RawResp client = shield.connect()) {
      client.call("SET", "k", "0");
      client.call("MGET", "a", "b", "c");
      client.call("DEL", "k");
      cluster.moveSlot("k", to);

      for (int i = 1; i <= 300; i++) {
        client.send("SET", "k", Integer.toString(i)).send("INCR", "k").send("GET", "a");
        client.send("MGET", "a", "k", "b");
      }

      for (int i = 1; i <= 300; i++) {
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        assertThat(client.reply()).isEqualTo(":" + (i + 1) + "\r\n");
        assertThat(client.reply()).isEqualTo("$-1\r\n");
        String value = Integer.toString(i + 1);
        assertThat(client.reply())
            .isEqualTo("*3\r\n$-1\r\n$" + value.length() + "\r\n" + value + "\r\n$-1\r\n");
      }
      assertThat(to.command("GET", "k")).isEqualTo("301");
      OpenShield.await(() -> !redirects(from, client));
    }
  }

  @Test
  void slot_migratingToAnotherNode_followsAsk() {
    RedisFixture from = cluster.ownerOf("k");
    RedisFixture to = another(from);
    String slot = from.command("CLUSTER", "KEYSLOT", "k");
    from.command("SET", "{k}stays", "here");
    from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", to.command("CLUSTER", "MYID"));
    to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", from.command("CLUSTER", "MYID"));
    try (RawResp client = shield.connect()) {
      client.call("HELLO", "3");

      assertThat(client.call("SET", "k", "there")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$5\r\nthere\r\n");
      assertThat(client.call("GET", "{k}no")).isEqualTo("_\r\n");
      assertThat(client.call("GET", "{k}stays")).isEqualTo("$4\r\nhere\r\n");
      assertThat(from.command("DBSIZE")).isEqualTo("1");
      assertThat(to.command("DBSIZE")).isEqualTo("1");
      client.call("MULTI");
      assertThat(client.call("GET", "k")).startsWith("-TRYAGAIN the slot of the key is moving");
      assertThat(client.call("EXEC")).startsWith("-EXECABORT");
      assertThat(client.call("SET", "k", "x".repeat(3 << 20))).startsWith("-TRYAGAIN the slot");
      assertThat(client.call("CLIENT", "SETNAME", "me")).isEqualTo("+OK\r\n");
      assertThat(client.call("APPEND", "k", "!")).isEqualTo(":6\r\n");
      assertThat(to.command("CLIENT", "LIST")).contains("name=me");
    }
  }

  @Test
  void hotKey_whoseSlotMoved_isServedAgainAndNeverStale() {
    RedisFixture from = cluster.ownerOf("k");
    RedisFixture to = another(from);
    try (RawResp client = shield.connect()) {
      client.call("SET", "k", "old");
      OpenShield.await(() -> client.call("GET", "k").equals("$3\r\nold\r\n") && isHit(client));
      from.command("DEL", "k");
      cluster.moveSlot("k", to);
      to.command("SET", "k", "new");

      OpenShield.await(() -> client.call("GET", "k").equals("$3\r\nnew\r\n"));

      OpenShield.await(() -> isHit(client));
      to.command("SET", "k", "last");
      OpenShield.await(() -> client.call("GET", "k").equals("$4\r\nlast\r\n"));
    }
  }

  @Test
  void node_killedAndRestarted_failsWithAnErrorAndRecovers() {
    RedisFixture node = cluster.ownerOf("a");
    String elsewhere = cluster.ownerOf("b").equals(node) ? "c" : "b";
    try (RawResp client = shield.connect();
        RawResp waiting = shield.connect()) {
      client.call("MSET", "a", "1", elsewhere, "2");
      waiting.send("BLPOP", "{a}list", "0").send("GET", elsewhere);
      OpenShield.await(() -> node.command("CLIENT", "LIST").contains("flags=b"));

      node.kill();

      assertThat(waiting.reply())
          .startsWith("-UNAVAILABLE the connection to the upstream was lost");
      assertThat(waiting.reply()).isEqualTo("$1\r\n2\r\n");
      String reply = client.call("SET", "a", "x");
      assertThat(reply).matches("-(UNAVAILABLE|CLUSTERDOWN) [^\r]*\r\n");
      assertThat(client.call("MGET", elsewhere, "a")).matches("-(UNAVAILABLE|CLUSTERDOWN) .*\r\n");
      node.restart();
      OpenShield.await(() -> client.call("SET", "a", "y").equals("+OK\r\n"));
      assertThat(client.call("MGET", elsewhere, "a")).startsWith("*2\r\n");
      shield.awaitTracking();
    }
  }

  @Tag("thorough")
  @Test
  void node_thatDies_isReplacedByItsReplica() {
    RedisFixture node = cluster.ownerOf("a");
    try (RedisFixture replica = cluster.startReplica(node, "cluster-node-timeout 1000");
        RawResp client = shield.connect()) {
      client.call("SET", "a", "1");
      client.call("WAIT", "1", "5000");

      node.kill();

      OpenShield.await(() -> client.call("INCR", "a").startsWith(":"));
      OpenShield.await(() -> replica.command("ROLE").contains("master"));
      OpenShield.await(() -> client.call("MGET", "a", "b", "c").startsWith("*3\r\n"));
      shield.awaitTracking();
      try (RawResp next = shield.connect()) {
        assertThat(next.call("GET", "a")).isEqualTo(client.call("GET", "a"));
        assertThat(next.call("SET", "a", "5")).isEqualTo("+OK\r\n");
      }
      assertThat(replica.command("GET", "a")).isEqualTo("5");
    }
  }

  @Test
  void node_stopped_timesOutAndRecoversWhenItContinues() {
    RedisFixture node = cluster.ownerOf("a");
    String elsewhere = cluster.ownerOf("b").equals(node) ? "c" : "b";
    try (RawResp client = shield.connect()) {
      client.call("MSET", "a", "1", elsewhere, "2");
      node.pause();
      try {
        client.send("GET", "a").send("GET", elsewhere).send("PING", "here");

        assertThat(client.reply()).startsWith("-UNAVAILABLE the upstream has not answered for");
        assertThat(client.reply()).matches("(\\$1\r\n2|-CLUSTERDOWN .*)\r\n");
        assertThat(client.reply()).matches("(\\$4\r\nhere|-UNAVAILABLE .*)\r\n");
      } finally {
        node.resume();
      }
      OpenShield.await(() -> client.call("GET", "a").equals("$1\r\n1\r\n"));
    }
  }

  private RedisFixture another(RedisFixture than) {
    return cluster.nodes().stream().filter(node -> node != than).findFirst().orElseThrow();
  }

  private boolean isHit(RawResp client) {
    double before = shield.metric("heatshield_shield_cache_hits");
    client.call("GET", "k");
    return shield.metric("heatshield_shield_cache_hits") > before;
  }

  /** Returns whether a command is still sent to a node without the slot. */
  private static boolean redirects(RedisFixture from, RawResp client) {
    String before = errors(from);
    client.call("STRLEN", "k");
    return !errors(from).equals(before);
  }

  private static String errors(RedisFixture node) {
    return node.command("INFO", "errorstats");
  }
}
