package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.data.command.session.Authenticator;
import io.heatshield.data.command.session.User;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.keys.NastyKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataPortTest {
  private static final Authenticator ONE_USER =
      new Authenticator() {
        @Override
        public @Nullable User unauthenticated() {
          return null;
        }

        @Override
        public @Nullable User find(String name, byte[] password) {
          boolean right =
              name.equals("app")
                  && Arrays.equals(password, "secret".getBytes(StandardCharsets.UTF_8));
          return right ? new User("app", false) : null;
        }
      };

  private DataPortFixture port = DataPortFixture.open();

  @AfterEach
  void close() {
    port.close();
  }

  @Test
  void pipeline_ofManyCommands_isAnsweredInOrder() {
    var sent = new StringBuilder();
    var expected = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      sent.append("SET k ").append(i).append("\r\nGET k\r\n");
      String text = Integer.toString(i);
      expected.append("+OK\r\n$").append(text.length()).append("\r\n").append(text).append("\r\n");
    }

    try (RawResp client = port.client()) {
      var sender = new Thread(() -> client.sendRaw(sent + "QUIT\r\n"));
      sender.start();

      assertThat(client.rest()).isEqualTo(expected + "+OK\r\n");
    }
  }

  @Test
  void hello_changesTheProtocol_andResetChangesItBack() {
    try (RawResp client = port.client()) {
      assertThat(client.call("GET", "none")).isEqualTo("$-1\r\n");
      assertThat(client.call("HELLO", "3")).startsWith("%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n");
      assertThat(client.call("GET", "none")).isEqualTo("_\r\n");
      assertThat(client.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(client.call("GET", "none")).isEqualTo("$-1\r\n");
      assertThat(client.call("HELLO", "4")).isEqualTo("-NOPROTO unsupported protocol version\r\n");
      assertThat(client.call("HELLO", "x"))
          .isEqualTo("-ERR Protocol version is not an integer or out of range\r\n");
    }
  }

  @Test
  void select_byIndexOrName_changesTheStore() {
    try (RawResp client = port.client()) {
      client.call("SET", "k", "v");

      assertThat(client.call("SELECT", "other")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
      assertThat(client.call("SELECT", "0")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("SELECT", "2")).isEqualTo("-ERR DB index is out of range\r\n");
    }
  }

  @Test
  void auth_withUsers_isRequired() {
    port.close();
    port = DataPortFixture.open(ONE_USER, limits -> limits);

    try (RawResp client = port.client()) {
      assertThat(client.call("GET", "k")).isEqualTo("-NOAUTH Authentication required.\r\n");
      assertThat(client.call("AUTH", "app", "wrong")).startsWith("-WRONGPASS ");
      assertThat(client.call("HELLO", "3", "AUTH", "app", "wrong")).startsWith("-WRONGPASS ");
      assertThat(client.call("HELLO", "3")).startsWith("-NOAUTH HELLO ");
      assertThat(client.call("AUTH", "app", "secret")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
      assertThat(client.call("FLUSHALL")).startsWith("-NOPERM ");
      assertThat(client.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(client.call("GET", "k")).startsWith("-NOAUTH ");
    }
  }

  @Test
  void limits_beforeAuthentication_areNarrow() {
    port.close();
    port = DataPortFixture.open(ONE_USER, limits -> limits);

    for (String head : List.of("*11\r\n", "*1\r\n$16385\r\n")) {
      try (RawResp client = port.client()) {
        assertThat(client.sendRaw(head).rest()).startsWith("-ERR Protocol error: ");
      }
    }
  }

  @Test
  void watch_changedKey_makesExecAnswerNothing() {
    try (RawResp client = port.client();
        RawResp other = port.client()) {
      client.call("WATCH", "k");
      other.call("SET", "k", "v");
      client.call("MULTI");
      assertThat(client.call("SET", "k", "w")).isEqualTo("+QUEUED\r\n");

      assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SET k v EXAT 1", "SET k v PXAT 1", "SET k v NX EXAT 1"})
  void watch_absentKeyThatIsSetWithAnEndInThePast_makesExecAnswerNothing(String set) {
    try (RawResp client = port.client();
        RawResp other = port.client()) {
      client.call("WATCH", "k");
      assertThat(other.call(set.split(" "))).isEqualTo("+OK\r\n");
      client.call("MULTI");
      client.call("GET", "k");

      assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");
    }
  }

  @Test
  void watch_keyThatIsRenamedToItself_isUnchanged() {
    try (RawResp client = port.client();
        RawResp other = port.client()) {
      client.call("SET", "k", "v");
      client.call("WATCH", "k");
      assertThat(other.call("RENAME", "k", "k")).isEqualTo("+OK\r\n");
      client.call("MULTI");
      client.call("GET", "k");

      assertThat(client.call("EXEC")).isEqualTo("*1\r\n$1\r\nv\r\n");
    }
  }

  @Test
  void transaction_tooLarge_isRefusedAndAborted() {
    try (RawResp client = port.client()) {
      client.call("MULTI");
      String set = "SET k " + "v".repeat(60_000) + "\r\n";
      String last = "";
      for (int i = 0; i < 300 && !last.startsWith("-"); i++) {
        last = client.sendRaw(set).reply();
      }

      assertThat(last).isEqualTo("-ERR transaction is too large\r\n");
      assertThat(client.call("EXEC")).startsWith("-EXECABORT ");
    }
  }

  @Test
  void nastyKeys_areReturnedUnchanged_andEscapedInErrors() {
    try (RawResp client = port.client()) {
      NastyKeys.all()
          .forEach(
              nasty -> {
                String key = new String(nasty.bytes(), StandardCharsets.ISO_8859_1);
                if (key.length() <= 65_536) {
                  assertThat(client.call("SET", key, key)).isEqualTo("+OK\r\n");
                  assertThat(client.call("GET", key))
                      .isEqualTo("$" + key.length() + "\r\n" + key + "\r\n");
                  String error = client.call("NO" + key, key);
                  assertThat(error).startsWith("-ERR unknown command 'NO");
                  assertThat(error.substring(0, error.length() - 2))
                      .doesNotContain("\r", "\n", "\u0000", "\u001b");
                }
              });
    }
  }

  @Test
  void client_list_hasItselfAndOthers() {
    try (RawResp client = port.client();
        RawResp other = port.client()) {
      other.call("CLIENT", "SETNAME", "other");
      client.call("CLIENT", "SETINFO", "LIB-NAME", "test");

      assertThat(client.call("CLIENT", "SETNAME", "a b")).startsWith("-ERR Client names cannot");
      assertThat(client.call("CLIENT", "LIST"))
          .contains("name=other", "lib-name=test", "cmd=client|list", "user=default");
      assertThat(client.call("CLIENT", "TRACKING", "ON")).startsWith("-ERR CLIENT TRACKING ");
      assertThat(other.call("CLIENT", "ID")).isNotEqualTo(client.call("CLIENT", "ID"));
      assertThat(client.call("CLIENT", "INFO")).contains("addr=127.0.0.1:");
    }
  }

  @Test
  void info_config_command_describeTheServer() {
    try (RawResp client = port.client()) {
      client.call("SET", "k", "v");

      assertThat(client.call("INFO")).contains("redis_version:7.0.15", "db0:keys=1,");
      assertThat(client.call("INFO", "keyspace"))
          .contains("db0:keys=1,")
          .doesNotContain("# Server");
      assertThat(client.call("CONFIG", "GET", "sav*", "append*"))
          .isEqualTo("*4\r\n$10\r\nappendonly\r\n$2\r\nno\r\n$4\r\nsave\r\n$0\r\n\r\n");
      assertThat(client.call("CONFIG", "SET", "a", "b")).startsWith("-ERR settings are changed");
      assertThat(client.call("COMMAND", "INFO", "get", "nosuch"))
          .startsWith(
              "*2\r\n*10\r\n$3\r\nget\r\n:2\r\n*2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n")
          .endsWith("$-1\r\n");
      assertThat(client.call("COMMAND", "GETKEYS", "MSET", "a", "1", "b", "2"))
          .isEqualTo("*2\r\n$1\r\na\r\n$1\r\nb\r\n");
      assertThat(client.call("COMMAND", "DOCS", "get")).contains("summary");
      assertThat(client.call("COMMAND")).startsWith("*");
      assertThat(client.call("DBSIZE")).isEqualTo(":1\r\n");
      assertThat(client.call("MEMORY", "USAGE", "k")).isEqualTo(":152\r\n");
      assertThat(client.call("TIME")).startsWith("*2\r\n$10\r\n");
    }
  }

  @Test
  void scan_overManyKeys_findsEachOfThem() {
    try (RawResp client = port.client()) {
      for (int i = 0; i < 2000; i++) {
        client.send("SET", "key:" + i, "v");
      }
      for (int i = 0; i < 2000; i++) {
        client.reply();
      }
      var found = new HashSet<String>();
      String cursor = "0";
      do {
        List<String> lines =
            client.call("SCAN", cursor, "COUNT", "100", "MATCH", "key:*").lines().toList();
        cursor = lines.get(2);
        lines.stream().filter(line -> line.startsWith("key:")).forEach(found::add);
      } while (!cursor.equals("0"));

      assertThat(found).hasSize(2000);
      assertThat(client.call("KEYS", "key:19?")).startsWith("*10\r\n");
    }
  }

  @Test
  void hotKey_isPublishedToSubscribersAndExplained() {
    try (RawResp client = port.client();
        RawResp old = port.client();
        RawResp young = port.client()) {
      young.call("HELLO", "3");
      assertThat(old.call("SUBSCRIBE", "__hotkey__"))
          .isEqualTo("*3\r\n$9\r\nsubscribe\r\n$10\r\n__hotkey__\r\n:1\r\n");
      assertThat(young.call("SUBSCRIBE", "__hotkey__")).startsWith(">3\r\n$9\r\nsubscribe\r\n");
      assertThat(old.call("GET", "k")).startsWith("-ERR Can't execute 'get'");
      assertThat(old.call("PING")).isEqualTo("*2\r\n$4\r\npong\r\n$0\r\n\r\n");
      client.call("CLIENT", "SETNAME", "loader");
      for (int i = 0; i < 200; i++) {
        client.call("GET", "burning");
        client.call("SET", "burning", "v");
      }

      assertThat(old.reply())
          .startsWith("*3\r\n$7\r\nmessage\r\n$10\r\n__hotkey__\r\n")
          .contains("\"event\":\"hot\"", "\"key\":\"burning\"", "\"scope\":\"main\"");
      assertThat(young.reply()).startsWith(">3\r\n$7\r\nmessage\r\n");
      assertThat(client.call("HS.HOT", "main", "1"))
          .contains(
              "burning", "loader@127.0.0.1", "distinct-clients", "reads", "writes", "peak-rate");
      assertThat(client.call("HS.HOT", "nosuch")).isEqualTo("-ERR no such scope\r\n");
      assertThat(client.call("HS.SAVINGS")).startsWith("*");
      assertThat(client.call("HS.TOUCH", "clients", "k")).isEqualTo("-ERR no such table\r\n");

      port.ticker.advance(Duration.ofSeconds(60));
      port.scopes.maintain();
      assertThat(old.reply()).contains("\"event\":\"cool\"", "\"key\":\"burning\"");
      assertThat(old.call("UNSUBSCRIBE")).contains("unsubscribe");
      assertThat(old.call("GET", "burning")).isEqualTo("$1\r\nv\r\n");
    }
  }

  @Test
  void write_toAClampedKey_isThrottled_andReadsContinue() {
    port.close();
    port = DataPortFixture.clamped(5);
    try (RawResp client = port.client()) {
      String last = "";
      for (int i = 0; i < 20 && !last.startsWith("-"); i++) {
        last = client.call("SET", "hot", "v" + i);
      }

      assertThat(last).matches("-THROTTLED key is hot, retry in [1-9][0-9]* ms\r\n");
      assertThat(client.call("INCRBY", "hot", "1")).startsWith("-");
      assertThat(client.call("MSET", "hot", "x", "cool", "y")).startsWith("-THROTTLED ");
      assertThat(client.call("EXISTS", "cool")).isEqualTo(":0\r\n");
      assertThat(client.call("GET", "hot")).startsWith("$2\r\nv");
      assertThat(client.call("SET", "cool", "y")).isEqualTo("+OK\r\n");
      client.call("MULTI");
      client.call("SET", "hot", "z");
      client.call("SET", "other", "z");
      assertThat(client.call("EXEC")).startsWith("-THROTTLED ");
      assertThat(client.call("EXISTS", "other")).isEqualTo(":0\r\n");
      assertThat(port.counters.throttled()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void everyKey_ofEveryCommand_isCounted() {
    try (RawResp client = port.client()) {
      client.call("MSET", "a", "1", "b", "2");
      client.call("MGET", "a", "b", "c");
      client.call("DEL", "a", "a");
      client.call("RENAME", "b", "d");
      client.call("MULTI");
      client.call("GET", "d");
      client.call("EXEC");

      assertThat(port.scopes.find("main").orElseThrow().stats().touches()).isEqualTo(10);
    }
  }
}
