package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster of three masters behind the shield, used as one server. */
class ShieldClusterIT {
  private static final RedisClusterFixture cluster = RedisClusterFixture.start();

  @AutoClose
  private static final OpenShield shield =
      OpenShield.of(cluster.uri(), "timeout: 20s", OpenShield.HOT_READS, OpenShield.NO_WRITE_LIMIT)
          .closing(cluster)
          .awaitTracking();

  @BeforeEach
  void clear() {
    cluster.nodes().forEach(node -> node.command("FLUSHALL"));
  }

  @Test
  void commandsOfOneKey_goToTheNodeThatHasIt() {
    try (RawResp client = shield.connect()) {
      for (int i = 0; i < 100; i++) {
        assertThat(client.call("SET", "k" + i, "v" + i)).isEqualTo("+OK\r\n");
      }

      for (int i = 0; i < 100; i++) {
        assertThat(cluster.command("GET", "k" + i)).isEqualTo("v" + i);
        assertThat(client.call("GET", "k" + i)).isEqualTo(OpenShield.bulk("v" + i));
        assertThat(client.call("OBJECT", "ENCODING", "k" + i)).isEqualTo(OpenShield.bulk("embstr"));
      }
      assertThat(cluster.nodes()).noneMatch(node -> node.command("DBSIZE").equals("0"));
    }
  }

  @Test
  void commandsOfManyKeys_overAllSlots_areAnsweredAsByOneServer() {
    for (String protocol : new String[] {"2", "3"}) {
      try (RawResp client = shield.connect()) {
        client.call("HELLO", protocol);
        String none = protocol.equals("2") ? "$-1\r\n" : "_\r\n";

        assertThat(client.call("MSET", "a", "1", "b", "2", "c", "3", "a", "4"))
            .isEqualTo("+OK\r\n");
        assertThat(client.call("MGET", "c", "no", "a", "b", "c"))
            .isEqualTo(
                "*5\r\n"
                    + OpenShield.bulk("3")
                    + none
                    + OpenShield.bulk("4")
                    + OpenShield.bulk("2")
                    + OpenShield.bulk("3"));
        assertThat(client.call("EXISTS", "a", "b", "c", "a", "no")).isEqualTo(":4\r\n");
        assertThat(client.call("TOUCH", "a", "b", "no")).isEqualTo(":2\r\n");
        assertThat(client.call("DBSIZE")).isEqualTo(":3\r\n");
        assertThat(client.call("RANDOMKEY")).matches("\\$1\r\n[abc]\r\n");
        assertThat(client.call("UNLINK", "a", "no")).isEqualTo(":1\r\n");
        assertThat(client.call("DEL", "b", "c", "a")).isEqualTo(":2\r\n");
        assertThat(client.call("RANDOMKEY")).isEqualTo(none);
        assertThat(client.call("MSET", "a", "1", "b")).startsWith("-");
      }
    }
  }

  @Test
  void scanAndKeys_seeTheKeysOfAllNodesOnce() {
    try (RawResp client = shield.connect()) {
      Set<String> wanted = new TreeSet<>();
      for (int i = 0; i < 500; i++) {
        wanted.add("key:" + i);
        client.call("SET", "key:" + i, "v");
      }
      var found = new TreeSet<String>();
      String cursor = "0";
      do {
        String[] page = client.call("SCAN", cursor, "COUNT", "20").split("\r\n", -1);
        cursor = page[2];
        Arrays.stream(page).filter(line -> line.startsWith("key:")).forEach(found::add);
      } while (!cursor.equals("0"));

      assertThat(found).isEqualTo(wanted);
      assertThat(client.call("KEYS", "key:1*")).startsWith("*111\r\n");
      assertThat(client.call("SCAN", "9")).isEqualTo("-ERR invalid cursor\r\n");
      assertThat(client.call("FLUSHALL")).isEqualTo("+OK\r\n");
      assertThat(client.call("DBSIZE")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void pipeline_overAllNodes_isAnsweredInOrder() {
    try (RawResp client = shield.connect()) {
      for (int i = 0; i < 2000; i++) {
        client.send("SET", "k" + (i % 70), "v" + i).send("GET", "k" + (i % 70));
        if (i % 10 == 0) {
          client.send("MGET", "k" + (i % 70), "none", "k" + (i % 70)).send("PING", "p" + i);
        }
      }

      for (int i = 0; i < 2000; i++) {
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        assertThat(client.reply()).isEqualTo(OpenShield.bulk("v" + i));
        if (i % 10 == 0) {
          assertThat(client.reply())
              .isEqualTo(
                  "*3\r\n" + OpenShield.bulk("v" + i) + "$-1\r\n" + OpenShield.bulk("v" + i));
          assertThat(client.reply()).isEqualTo(OpenShield.bulk("p" + i));
        }
      }
    }
  }

  @Test
  void pipeline_ofLargeAnswers_waitsForItsTurnInBoundedMemory() {
    String large = "x".repeat(300_000);
    try (RawResp client = shield.connect()) {
      for (int i = 0; i < 6; i++) {
        client.call("SET", "large" + i, i + large);
      }
      client.send("BLPOP", "first", "0");
      for (int i = 0; i < 120; i++) {
        client.send("GET", "large" + (i % 6));
      }
      OpenShield.await(
          () -> cluster.ownerOf("first").command("CLIENT", "LIST").contains("flags=b"));

      cluster.command("RPUSH", "first", "x");

      assertThat(client.reply())
          .isEqualTo("*2\r\n" + OpenShield.bulk("first") + OpenShield.bulk("x"));
      for (int i = 0; i < 120; i++) {
        assertThat(client.reply()).isEqualTo(OpenShield.bulk((i % 6) + large));
      }
    }
  }

  @Test
  void values_ofAHundredMegabytes_passInBothDirections() throws IOException {
    int size = 100 << 20;
    byte[] piece = new byte[1 << 20];
    new Random(12).nextBytes(piece);
    try (RawResp client = shield.connect()) {
      client.call("PING");
      OutputStream out = client.socket().getOutputStream();
      out.write(ascii("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + size + "\r\n"));
      for (int i = 0; i < size; i += piece.length) {
        out.write(piece);
      }
      out.write(ascii("\r\n"));
      assertThat(client.reply()).isEqualTo("+OK\r\n");

      client.send("GET", "big").send("EXISTS", "big", "other");

      InputStream in = new BufferedInputStream(client.socket().getInputStream(), 1 << 16);
      assertThat(in.readNBytes(12)).isEqualTo(ascii("$" + size + "\r\n"));
      for (int i = 0; i < size; i += piece.length) {
        byte[] got = in.readNBytes(piece.length);
        assertThat(Arrays.mismatch(got, piece)).as("after " + i).isNegative();
      }
      assertThat(in.readNBytes(6)).isEqualTo(ascii("\r\n:1\r\n"));
    }
  }

  @Test
  void longCommands_areSplit() {
    try (RawResp client = shield.connect()) {
      var words = new String[2001];
      words[0] = "MSET";
      for (int i = 0; i < 1000; i++) {
        words[1 + 2 * i] = "long:" + i;
        words[2 + 2 * i] = i + "x".repeat(200);
      }

      assertThat(client.call(words)).isEqualTo("+OK\r\n");
      assertThat(client.call("DBSIZE")).isEqualTo(":1000\r\n");
      assertThat(client.call("MGET", "long:1", "long:2", "long:999"))
          .contains(words[4], words[6], words[2000]);
      words[1] = "long:0";
      String script = "return KEYS[1]--" + "x".repeat(200_000);
      assertThat(client.call("EVAL", script, "1", "k")).isEqualTo(OpenShield.bulk("k"));
    }
  }

  @Test
  void blockingCommands_onSeveralNodes_replyWhenDataArrives() {
    try (RawResp waiting = shield.connect();
        RawResp reader = shield.connect();
        RawResp writer = shield.connect()) {
      writer.call("XADD", "stream", "1-1", "f", "v");
      waiting.send("BLPOP", "list", "0");
      reader.send("XREAD", "BLOCK", "0", "STREAMS", "stream", "1-1");
      OpenShield.await(() -> blocked() == 2);

      writer.call("RPUSH", "list", "x");
      writer.call("XADD", "stream", "1-2", "f", "w");

      assertThat(waiting.reply())
          .isEqualTo("*2\r\n" + OpenShield.bulk("list") + OpenShield.bulk("x"));
      assertThat(reader.reply()).contains("1-2", "w");
      assertThat(waiting.call("BLPOP", "list", "a", "b", "0"))
          .startsWith("-CROSSSLOT the keys are in several slots");
    }
  }

  @Test
  void transactions_areExecutedInTheSlotOfTheirFirstKey() {
    try (RawResp client = shield.connect();
        RawResp other = shield.connect()) {
      for (String tag : new String[] {"{a}", "{b}", "{c}"}) {
        assertThat(client.call("WATCH", tag + "k", tag + "l")).isEqualTo("+OK\r\n");
        assertThat(client.call("GET", "elsewhere")).isEqualTo("$-1\r\n");
        assertThat(client.call("MULTI")).isEqualTo("+OK\r\n");
        assertThat(client.call("SET", tag + "k", "mine")).isEqualTo("+QUEUED\r\n");
        other.call("SET", tag + "l", "other");
        assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");

        assertThat(client.call("MULTI")).isEqualTo("+OK\r\n");
        assertThat(client.call("PING")).isEqualTo("+QUEUED\r\n");
        assertThat(client.call("INCR", tag + "n")).isEqualTo("+QUEUED\r\n");
        assertThat(client.call("MULTI")).startsWith("-ERR MULTI calls can not be nested");
        assertThat(client.call("GET", tag + "l")).isEqualTo("+QUEUED\r\n");
        assertThat(client.call("EXEC"))
            .isEqualTo("*3\r\n+PONG\r\n:1\r\n" + OpenShield.bulk("other"));
        assertThat(client.call("GET", tag + "n")).isEqualTo(OpenShield.bulk("1"));
      }
      assertThat(client.call("EXEC")).isEqualTo("-ERR EXEC without MULTI\r\n");
      client.call("MULTI");
      client.call("PING");
      assertThat(client.call("EXEC")).isEqualTo("*1\r\n+PONG\r\n");
    }
  }

  @Test
  void transactions_overSeveralSlots_areRefusedAndNothingIsExecuted() {
    try (RawResp client = shield.connect()) {
      client.call("MULTI");
      assertThat(client.call("SET", "a", "1")).isEqualTo("+QUEUED\r\n");
      assertThat(client.call("SET", "b", "1"))
          .startsWith("-CROSSSLOT the keys of a transaction must be in one slot");
      assertThat(client.call("EXEC")).startsWith("-EXECABORT");
      assertThat(client.call("WATCH", "a")).isEqualTo("+OK\r\n");
      assertThat(client.call("WATCH", "b")).startsWith("-CROSSSLOT the keys of a transaction");
      assertThat(client.call("UNWATCH")).isEqualTo("+OK\r\n");
      assertThat(client.call("WATCH", "b")).isEqualTo("+OK\r\n");
      client.call("MULTI");
      client.call("MGET", "a", "b");

      assertThat(client.call("DISCARD")).isEqualTo("+OK\r\n");
      assertThat(client.call("DBSIZE")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void subscribers_onAnyNode_getMessages() {
    try (RawResp client = shield.connect();
        RawResp sharded = shield.connect();
        RawResp other = shield.connect()) {
      client.send("SUBSCRIBE", "news");
      assertThat(client.reply()).contains("subscribe", "news");
      for (String channel : new String[] {"a", "b", "c"}) {
        if (channel.equals("a")) {
          sharded.send("SSUBSCRIBE", channel);
          assertThat(sharded.reply()).contains("ssubscribe", channel);
          assertThat(other.call("SPUBLISH", channel, "to you")).isEqualTo(":1\r\n");
          assertThat(sharded.reply()).contains("smessage", "to you");
        }
        other.call("SET", channel, "v");
        other.call("PUBLISH", "news", channel);
        assertThat(client.reply()).contains("message", "news", channel);
      }
    }
  }

  @Test
  void scripts_loadedOnce_runOnEveryNode() {
    try (RawResp client = shield.connect()) {
      String digest = client.call("SCRIPT", "LOAD", "return redis.call('INCR', KEYS[1])");
      String sha = digest.split("\r\n", -1)[1];

      for (String key : new String[] {"a", "b", "c"}) {
        assertThat(client.call("EVALSHA", sha, "1", key)).isEqualTo(":1\r\n");
        assertThat(client.call("EVAL", "return redis.call('GET', KEYS[1])", "1", key))
            .isEqualTo(OpenShield.bulk("1"));
      }
      assertThat(client.call("EVAL", "return 1", "2", "a", "b")).startsWith("-CROSSSLOT");
    }
  }

  @Test
  void connections_ofOneClient_haveItsNameUserAndProtocol() {
    cluster
        .nodes()
        .forEach(node -> node.command("ACL", "SETUSER", "shop", "on", ">pw", "~*", "+@all"));
    try (RawResp client = shield.connect()) {
      client.call("SET", "a", "1");
      assertThat(client.call("HELLO", "3", "AUTH", "shop", "pw", "SETNAME", "first"))
          .startsWith("%");
      assertThat(client.call("AUTH", "shop", "wrong")).startsWith("-WRONGPASS");
      client.call("SET", "b", "1");
      client.call("CLIENT", "SETNAME", "till");
      client.call("SET", "c", "1");

      for (RedisFixture node : cluster.nodes()) {
        assertThat(node.command("CLIENT", "LIST")).contains("name=till").contains("user=shop");
      }
      for (String key : new String[] {"a", "b", "c"}) {
        assertThat(client.call("GET", "none" + key)).isEqualTo("_\r\n");
      }
      assertThat(client.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(client.call("MGET", "a", "no"))
          .isEqualTo("*2\r\n" + OpenShield.bulk("1") + "$-1\r\n");
      assertThat(client.call("QUIT")).isEqualTo("+OK\r\n");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void unsupportedCommands_areRefusedWithAnError() {
    try (RawResp client = shield.connect()) {
      assertThat(client.call("SELECT", "0")).isEqualTo("+OK\r\n");
      assertThat(client.call("SELECT", "1")).startsWith("-ERR SELECT is not allowed in cluster");
      assertThat(client.call("CLUSTER", "RESET")).startsWith("-ERR not available through a shield");
      assertThat(client.call("CLIENT", "TRACKING", "ON")).startsWith("-ERR not available");
      assertThat(client.call("RENAME", "a", "b")).startsWith("-CROSSSLOT the keys are in several");
      assertThat(client.call("SINTER", "a", "b")).contains("give them a common {tag}");
      assertThat(client.call("RENAME", "{x}a", "{x}b")).startsWith("-ERR no such key");
      assertThat(client.call("NOSUCH", "a")).startsWith("-ERR unknown command");
    }
  }

  private static long blocked() {
    return cluster.nodes().stream()
        .mapToLong(node -> node.command("CLIENT", "LIST").split("flags=b", -1).length - 1)
        .sum();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
