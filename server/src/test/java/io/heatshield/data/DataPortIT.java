package io.heatshield.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.tls.TlsFiles;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data port of a whole server: tables, all engines, TLS, and recovery after a kill. */
@Timeout(180)
class DataPortIT {
  private static final String TABLE =
      """
      tables:
        - name: clients
          cardinality: { of: path }
          window: 1s
          persist: true
          rules:
            - { name: flood, when: { rate_above: 1/h, burst: 5 }, block_for: 1h, mode: enforce }
            - { name: scanner, when: { cardinality_above: 40 }, block_for: 1h, mode: enforce }
      """;

  private @Nullable TestServer server;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void tables_withoutLimits_areFedByTheDataPortAndHttp() throws Exception {
    TestServer started = start(TABLE);

    try (RawResp client = started.connect()) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.call("HS.TOUCH", "clients", "10.0.0.1")).isEqualTo("+OK\r\n");
      }
      assertThat(client.call("HS.BLOCKED", "clients", "10.0.0.1")).isEqualTo(":0\r\n");
      assertThat(client.call("HS.TOUCH", "clients", "10.0.0.1"))
          .startsWith("-BLOCKED key is blocked, retry in ");
      assertThat(number(client.call("HS.BLOCKED", "clients", "10.0.0.1")))
          .isBetween(3_500_000L, 3_600_000L);
      assertThat(client.call("HS.TOUCH", "clients", "10.0.0.2", "2", "/a")).isEqualTo("+OK\r\n");
      assertThat(client.call("HS.BLOCKED", "clients", "10.0.0.2")).isEqualTo(":0\r\n");
      assertThat(client.call("HS.TOP", "clients", "2"))
          .startsWith("*2\r\n*6\r\n$3\r\nkey\r\n$8\r\n10.0.0.1\r\n$4\r\nrate\r\n")
          .contains("$8\r\ndistinct\r\n");
      assertThat(client.call("HELLO", "3")).startsWith("%7");
      assertThat(client.call("HS.TOP", "clients", "1"))
          .startsWith("*1\r\n%3\r\n$3\r\nkey\r\n$8\r\n10.0.0.1\r\n$4\r\nrate\r\n,");
      assertThat(client.call("HS.TOUCH", "none", "k")).isEqualTo("-ERR no such table\r\n");
      assertThat(client.call("HS.TOP", "clients", "0")).isEqualTo("-ERR n must be positive\r\n");
      assertThat(client.call("HS.TOUCH", "clients", "k", "-1"))
          .isEqualTo("-ERR weight must not be negative\r\n");
      assertThat(client.call("HS.TOUCH", "clients", "k", "1", "p", "more"))
          .startsWith("-ERR wrong number of arguments");
    }
    assertThat(started.server().grpc()).isEmpty();
    assertThat(started.get("api/v1/tables/clients/top?n=5")).contains("10.0.0.1");
  }

  @Test
  void scanner_throughTheDataPort_isBlockedWhileAReaderPasses() throws Exception {
    TestServer started = start(TABLE.replace("burst: 5", "burst: 1000"));
    int refused = 0;

    try (RawResp client = started.connect()) {
      for (int i = 0; i < 100; i++) {
        String path = "/" + i;
        refused += client.call("HS.TOUCH", "clients", "s", "1", path).startsWith("-") ? 1 : 0;
        assertThat(client.call("HS.TOUCH", "clients", "r", "1", "/" + i % 3)).isEqualTo("+OK\r\n");
      }
    }

    assertThat(refused).isBetween(40, 75);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb", "redis"})
  void commands_onEveryEngine_areTheSame(String engine) throws Exception {
    try (var redis = RedisFixture.start("save \"\"")) {
      TestServer started =
          start(
              "redis: { url: 'redis://127.0.0.1:"
                  + redis.port()
                  + "', timeout: 5s }\nstores:\n  - { name: main, engine: "
                  + engine
                  + (engine.equals("rocksdb") ? ", path: '" + folder.resolve("data") + "'" : "")
                  + " }\n");

      try (RawResp client = started.connect()) {
        client.send("SET", "k", "1").send("INCR", "k").send("APPEND", "k", "x").send("GET", "k");
        client.send("INCR", "k").send("SET", "k", "v", "NX").send("GETDEL", "k").send("GET", "k");
        String[] expected = {
          "+OK\r\n",
          ":2\r\n",
          ":2\r\n",
          "$2\r\n2x\r\n",
          "-ERR value is not an integer or out of range\r\n",
          "$-1\r\n",
          "$2\r\n2x\r\n",
          "$-1\r\n"
        };
        for (String reply : expected) {
          assertThat(client.reply()).isEqualTo(reply);
        }
        assertThat(client.call("MSET", "a", "1", "b", "2", "\0\r\n\u00ff", "3"))
            .isEqualTo("+OK\r\n");
        assertThat(client.call("MGET", "a", "none", "\0\r\n\u00ff"))
            .isEqualTo("*3\r\n$1\r\n1\r\n$-1\r\n$1\r\n3\r\n");
        assertThat(client.call("PEXPIRE", "a", "100000")).isEqualTo(":1\r\n");
        assertThat(number(client.call("PTTL", "a"))).isBetween(50_000L, 100_000L);
        assertThat(client.call("PERSIST", "a")).isEqualTo(":1\r\n");
        assertThat(client.call("WATCH", "b")).isEqualTo("+OK\r\n");
        try (RawResp other = started.connect()) {
          assertThat(other.call("SET", "b", "3")).isEqualTo("+OK\r\n");
        }
        client.call("MULTI");
        assertThat(client.call("SET", "b", "4")).isEqualTo("+QUEUED\r\n");
        assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");
        client.call("MULTI");
        client.call("INCR", "b");
        client.call("GET", "b");
        assertThat(client.call("EXEC")).isEqualTo("*2\r\n:4\r\n$1\r\n4\r\n");
        assertThat(client.call("RENAME", "b", "c")).isEqualTo("+OK\r\n");
        assertThat(client.call("EXISTS", "a", "b", "c")).isEqualTo(":2\r\n");
        assertThat(client.call("DBSIZE")).isEqualTo(":3\r\n");
        assertThat(client.call("DEL", "a", "c", "none")).isEqualTo(":2\r\n");
      }
      server = null;
      started.stop();
    }
  }

  @Test
  void hotKey_ofTheDataPort_isExplainedByHttpAndPublishedToSubscribers() throws Exception {
    TestServer started = start("detect: { window: 1s, threshold: 50 }\n");

    try (RawResp two = started.connect();
        RawResp three = started.connect();
        RawResp client = started.connect()) {
      assertThat(two.call("SUBSCRIBE", "__hotkey__"))
          .isEqualTo("*3\r\n$9\r\nsubscribe\r\n$10\r\n__hotkey__\r\n:1\r\n");
      three.call("HELLO", "3");
      assertThat(three.call("SUBSCRIBE", "__hotkey__"))
          .isEqualTo(">3\r\n$9\r\nsubscribe\r\n$10\r\n__hotkey__\r\n:1\r\n");
      client.call("CLIENT", "SETNAME", "burner");
      for (int i = 0; i < 300; i++) {
        client.call(i % 3 == 0 ? "SET" : "APPEND", "burning", "v");
      }

      assertThat(two.reply()).startsWith("*3\r\n$7\r\nmessage\r\n").contains("\"event\":\"hot\"");
      assertThat(three.reply()).startsWith(">3\r\n$7\r\nmessage\r\n").contains("\"burning\"");
      assertThat(started.get("api/v1/keys/burning?scope=main"))
          .contains("\"first_hot\":")
          .contains("\"peak_rate\":")
          .contains("\"append\":")
          .contains("\"burner@127.0.0.1\":")
          .contains("\"distinct_clients\":1");
      assertThat(two.reply()).contains("\"event\":\"cool\"");
      assertThat(three.reply()).startsWith(">3").contains("\"event\":\"cool\"");
    }
  }

  @Test
  void pipeline_overTls_isAnsweredAndAPlainClientIsNot() throws Exception {
    SelfSignedCertificate pair = SelfSignedCertificate.make(folder, "port");
    TlsFiles files = pair.write(folder, TlsFiles::of);
    TestServer started =
        start("", "tls: { cert: '" + files.certificates() + "', key: '" + files.key() + "' }");
    String value = "w".repeat(60_000);

    try (Socket socket =
        pair.trustingContext().getSocketFactory().createSocket("127.0.0.1", started.respPort())) {
      socket
          .getOutputStream()
          .write(("SET k v\r\nAPPEND k " + value + "\r\nGET k\r\nQUIT\r\n").getBytes(UTF_8));
      String answers = new String(socket.getInputStream().readAllBytes(), UTF_8);

      assertThat(answers).isEqualTo("+OK\r\n:60001\r\n$60001\r\nv" + value + "\r\n+OK\r\n");
    }
    try (RawResp plain = started.connect()) {
      plain.sendRaw("PING\r\n");

      assertThat(plain.rest()).doesNotContain("PONG");
    }
  }

  @Test
  void kill_ofTheProcess_leavesClientsAndBlocks() throws Exception {
    Path file = Files.writeString(folder.resolve("heatshield.yaml"), yaml(TABLE));
    Process first = run(file);
    try (RawResp client = RawResp.open("127.0.0.1", port(first))) {
      for (int i = 0; i < 6; i++) {
        client.call("HS.TOUCH", "clients", "10.0.0.1", "1", "/" + i);
      }
      assertThat(number(client.call("HS.BLOCKED", "clients", "10.0.0.1"))).isPositive();
      long blocked = System.nanoTime();
      // Kept once in a window, which is a second here: two windows on, it has been.
      while (System.nanoTime() - blocked < Duration.ofMillis(2500).toNanos()) {
        client.call("HS.TOUCH", "clients", "10.0.0.3");
      }
    } finally {
      first.destroyForcibly().waitFor();
    }

    Process second = run(file);
    try (RawResp client = RawResp.open("127.0.0.1", port(second))) {
      assertThat(number(client.call("HS.BLOCKED", "clients", "10.0.0.1")))
          .isBetween(3_400_000L, 3_600_000L);
      assertThat(client.call("HS.TOUCH", "clients", "10.0.0.1")).startsWith("-BLOCKED ");
      assertThat(client.call("HS.TOP", "clients", "10")).contains("10.0.0.1").contains("10.0.0.3");
    } finally {
      second.destroyForcibly().waitFor();
    }
  }

  private TestServer start(String rest, String... settings) throws Exception {
    TestServer started = TestServer.start(folder, yaml(rest, settings));
    server = started;
    return started;
  }

  private String yaml(String rest, String... settings) {
    return TestServer.section(folder.resolve("state"), settings) + rest;
  }

  private static Process run(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            RunningServer.class.getName(),
            file.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static int port(Process process) throws IOException {
    var lines = new BufferedReader(process.inputReader(UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("port ")) {
        return Integer.parseInt(line.substring("port ".length()));
      }
    }
    throw new IOException("the server did not start");
  }

  private static long number(String reply) {
    return Long.parseLong(reply.substring(1, reply.length() - 2));
  }
}
