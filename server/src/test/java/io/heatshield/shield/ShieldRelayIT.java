package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Forwarding: every kind of command, in order, over the client's own connection. */
class ShieldRelayIT {
  private static final RedisFixture redis = RedisFixture.start();

  @AutoClose
  private static final OpenShield shield =
      OpenShield.of(
              redis.uri(),
              "timeout: 20s",
              "hot_reads: { mode: enforce }",
              OpenShield.NO_WRITE_LIMIT)
          .closing(redis);

  @BeforeEach
  void clear() {
    redis.command("FLUSHALL");
  }

  @Test
  void clientList_ofTheUpstream_namesTheShieldsOwnConnectionsOnly() {
    shield.awaitTracking();
    try (RawResp client = shield.connect();
        RawResp named = shield.connect()) {
      client.call("PING");
      named.call("CLIENT", "SETNAME", "mine");

      assertThat(redis.command("CLIENT", "LIST").lines())
          .anyMatch(line -> line.matches(".* name=heatshield-shield:\\S+-\\d+ .* flags=tB .*"))
          .anyMatch(line -> line.matches(".* name= .* cmd=ping .*"))
          .anyMatch(line -> line.matches(".* name=mine .* cmd=client\\|setname .*"));
    }
  }

  @Test
  void commands_ofEveryKind_areAnsweredAsByTheUpstream() {
    try (RawResp client = shield.connect()) {
      assertThat(client.call("SET", "k", "v")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("GET", "none")).isEqualTo("$-1\r\n");
      assertThat(client.call("OBJECT", "ENCODING", "k")).isEqualTo("$6\r\nembstr\r\n");
      assertThat(client.call("SCAN", "0")).contains("$1\r\nk\r\n");
      assertThat(client.call("EVAL", "return redis.call('GET', KEYS[1])", "1", "k"))
          .isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("NOSUCH", "k")).startsWith("-ERR unknown command");
      assertThat(client.call("LPUSH", "k", "x")).startsWith("-WRONGTYPE");
      assertThat(client.sendRaw("GET k\r\n").reply()).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("HELLO", "3")).startsWith("%");
      assertThat(client.call("GET", "none")).isEqualTo("_\r\n");
      assertThat(client.call("CONFIG", "GET", "maxmemory")).startsWith("%1\r\n");
    }
  }

  @Test
  void pipeline_ofReadsAndWrites_isAnsweredInOrder() {
    try (RawResp client = shield.connect()) {
      for (int i = 0; i < 2000; i++) {
        client.send("SET", "k" + (i % 7), "v" + i).send("GET", "k" + (i % 7));
      }

      for (int i = 0; i < 2000; i++) {
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        String value = "v" + i;
        assertThat(client.reply()).isEqualTo("$" + value.length() + "\r\n" + value + "\r\n");
      }
    }
  }

  @Test
  void blockingCommands_whileOthersWrite_replyWhenDataArrives() {
    try (RawResp waiting = shield.connect();
        RawResp reader = shield.connect();
        RawResp writer = shield.connect()) {
      writer.call("XADD", "stream", "1-1", "f", "v");
      waiting.send("BLPOP", "list", "0");
      reader.send("XREAD", "BLOCK", "0", "STREAMS", "stream", "1-1");
      OpenShield.await(() -> redis.command("CLIENT", "LIST").split("flags=b", -1).length == 3);

      writer.call("RPUSH", "list", "x");
      writer.call("XADD", "stream", "1-2", "f", "w");

      assertThat(waiting.reply()).isEqualTo("*2\r\n$4\r\nlist\r\n$1\r\nx\r\n");
      assertThat(reader.reply()).contains("1-2", "w");
    }
  }

  @Test
  void transaction_whoseWatchedKeyChanged_isNotExecuted() {
    try (RawResp client = shield.connect();
        RawResp other = shield.connect()) {
      assertThat(client.call("WATCH", "k")).isEqualTo("+OK\r\n");
      other.call("SET", "k", "other");
      assertThat(client.call("MULTI")).isEqualTo("+OK\r\n");
      assertThat(client.call("SET", "k", "mine")).isEqualTo("+QUEUED\r\n");
      assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");
      client.call("MULTI");
      client.call("SET", "k", "mine");
      client.call("INCR", "n");

      assertThat(client.call("EXEC")).isEqualTo("*2\r\n+OK\r\n:1\r\n");
      assertThat(other.call("GET", "k")).isEqualTo("$4\r\nmine\r\n");
    }
  }

  @Test
  void subscribe_inBothProtocols_getsMessages() {
    for (boolean third : new boolean[] {false, true}) {
      try (RawResp client = shield.connect();
          RawResp other = shield.connect()) {
        if (third) {
          client.call("HELLO", "3");
        }
        client.send("SUBSCRIBE", "a", "b");
        assertThat(client.reply()).contains("subscribe", "a");
        assertThat(client.reply()).contains("subscribe", "b");
        assertThat(other.call("PUBLISH", "b", "hello")).isEqualTo(":1\r\n");
        assertThat(client.reply()).contains("message", "b", "hello");
        client.send("UNSUBSCRIBE");
        client.reply();
        client.reply();

        assertThat(client.call("GET", "none")).isEqualTo(third ? "_\r\n" : "$-1\r\n");
      }
    }
  }

  @Test
  void connection_selectsNamesAndAuthenticates_upstream() {
    try (RawResp client = shield.connect()) {
      client.call("CLIENT", "SETNAME", "shop");
      client.call("SELECT", "3");
      client.call("SET", "k", "three");

      assertThat(redis.command("CLIENT", "LIST")).contains("name=shop", "db=3");
      assertThat(client.call("AUTH", "unknown", "wrong")).startsWith("-WRONGPASS");
      try (RawResp other = shield.connect()) {
        assertThat(other.call("GET", "k")).isEqualTo("$-1\r\n");
      }
    }
  }

  @Test
  void value_ofAHundredMegabytes_passesInBothDirections() throws IOException {
    int size = 100 << 20;
    byte[] piece = new byte[1 << 20];
    new Random(12).nextBytes(piece);
    try (RawResp client = shield.connect()) {
      OutputStream out = client.socket().getOutputStream();
      out.write(ascii("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + size + "\r\n"));
      for (int i = 0; i < size; i += piece.length) {
        out.write(piece);
      }
      out.write(ascii("\r\n"));
      assertThat(client.reply()).isEqualTo("+OK\r\n");

      client.send("GET", "big").send("PING");

      InputStream in = new BufferedInputStream(client.socket().getInputStream(), 1 << 16);
      assertThat(in.readNBytes(("$" + size + "\r\n").length()))
          .isEqualTo(ascii("$" + size + "\r\n"));
      for (int i = 0; i < size; i += piece.length) {
        assertThat(in.readNBytes(piece.length)).isEqualTo(piece);
      }
      assertThat(in.readNBytes(9)).isEqualTo(ascii("\r\n+PONG\r\n"));
    }
  }

  @Test
  void keys_ofEveryCommand_areCountedAndExplained() {
    try (RawResp client = shield.connect()) {
      client.call("CLIENT", "SETNAME", "shop");
      for (int i = 0; i < 50; i++) {
        client.call("EVAL", "return redis.call('GET', KEYS[1])", "1", "hot");
        client.call("ZUNIONSTORE", "to", "2", "hot:a", "hot:b");
        client.call("XREAD", "COUNT", "1", "STREAMS", "hot:s", "0");
        client.call("GET", "hot");
        client.call("OBJECT", "ENCODING", "hot:o");
        client.call("SORT", "hot:list", "STORE", "hot:sorted");
      }

      assertThat(shield.explain("hot"))
          .contains("\"state\":\"hot\"", "\"eval\":", "\"get\":", "\"shop@127.0.0.1\"")
          .contains("\"misses\":", "\"reads\":", "\"writes\":", "\"bytes\":");
      for (String key : new String[] {"hot:a", "hot:b", "to", "hot:s", "hot:o", "hot:sorted"}) {
        assertThat(shield.explain(key)).contains("\"state\":\"hot\"", "\"context\":{");
      }
    }
  }

  @Test
  void invalidBytes_fromAClient_closeItsConnectionWithAnError() {
    try (RawResp client = shield.connect()) {
      client.send("PING").sendRaw("*1\r\n:1\r\n");

      assertThat(client.rest())
          .isEqualTo("+PONG\r\n-ERR Protocol error: expected '$', got ':'\r\n");
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
