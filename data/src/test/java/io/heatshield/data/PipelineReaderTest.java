package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.session.Authenticator;
import io.heatshield.data.command.session.NoPeer;
import io.heatshield.data.command.session.Session;
import io.heatshield.data.command.session.User;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.insight.explain.KeyUses;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RespLimits;
import io.heatshield.testkit.client.RawResp;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PipelineReaderTest {
  private static final Authenticator ONE_USER =
      new Authenticator() {
        @Override
        public @Nullable User unauthenticated() {
          return null;
        }

        @Override
        public User find(String name, byte[] password) {
          return new User(name, false);
        }
      };

  @Test
  void pipeline_ofSeveralCommands_isAnsweredInOrder() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.call("SET", "k", "v");

      client.sendRaw("GET k\r\nGET none\r\nSET k w\r\nGET k\r\nPING\r\nGET\r\nNONSENSE k\r\n");

      assertThat(client.reply()).isEqualTo("$1\r\nv\r\n");
      assertThat(client.reply()).isEqualTo("$-1\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nw\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
      assertThat(client.reply()).startsWith("-ERR wrong number");
      assertThat(client.reply()).startsWith("-ERR unknown command 'NONSENSE'");
    }
  }

  @Test
  void read_ofReads_prefetchesKeysThatExist() throws ProtocolException {
    assertThat(prefetched("GET k\r\nGET none\r\nSET k w\r\nGET k\r\nPING\r\n")).isEqualTo(2);
  }

  @Test
  void read_ofWrites_prefetchesUnlessAllAreOfOneKey() throws ProtocolException {
    assertThat(prefetched("SET k a\r\nSET k b\r\nSET k c\r\n")).isZero();
    assertThat(prefetched("SET k d\r\nSET none x\r\nSET none y\r\nGET k\r\n")).isEqualTo(1);
  }

  @Test
  void pipeline_ofOneKey_countsEveryUseOnce_evenWithRejectedCommands() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      HotKeyDetector detector = port.server.stores().get(0).detector();

      client.sendRaw("SET k\r\nSET k a\r\nSET k b\r\nSET j c\r\nSET k d\r\nGET k\r\nGET k\r\n");
      assertThat(client.reply()).startsWith("-ERR wrong number");
      for (int i = 0; i < 4; i++) {
        assertThat(client.reply()).isEqualTo("+OK\r\n");
      }
      assertThat(client.reply()).isEqualTo("$1\r\nd\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nd\r\n");
      client.call("PING");

      assertThat(detector.estimate(bytes("k")).touches()).isBetween(5L, 6L);
      assertThat(detector.estimate(bytes("j")).touches()).isEqualTo(1);
    }
  }

  @Test
  void transaction_ofOneKey_countsEveryUseOnce() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      HotKeyDetector detector = port.server.stores().get(0).detector();

      client.sendRaw("MULTI\r\nINCR k\r\nINCR k\r\nINCR k\r\nEXEC\r\nINCR k\r\n");
      for (int i = 0; i < 6; i++) {
        client.reply();
      }

      assertThat(detector.estimate(bytes("k")).touches()).isEqualTo(4);
    }
  }

  @Test
  void pipelines_ofAHotKey_areExplainedByEveryUseAndByte() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      OpenStore store = port.server.stores().get(0);
      String pipeline = "SET hot v\r\n".repeat(16) + "GET hot\r\n".repeat(16);
      for (int round = 0; store.hot().find(bytes("hot")).isEmpty(); round++) {
        assertThat(round).isLessThan(10_000);
        answer(client, pipeline);
      }
      KeyUses before = store.hot().find(bytes("hot")).orElseThrow().uses();

      answer(client, "SET hot v\r\n".repeat(32));

      KeyUses after = store.hot().find(bytes("hot")).orElseThrow().uses();
      assertThat(after.writes() - before.writes()).isEqualTo(32);
      assertThat(after.reads() - before.reads()).isZero();
      assertThat(after.bytes() - before.bytes()).isEqualTo(32 * (7 + 5));
    }
  }

  @Test
  void pipeline_toAnEngineThatAnswersLater_isAnsweredInOrder() {
    var gate = new CompletableFuture<Void>();
    var asked = new CompletableFuture<Void>();
    try (var port =
            DataPortFixture.open(
                DataPortFixture.ADMINS, limits -> limits, new LateEngine(gate, asked), null);
        RawResp client = port.client()) {
      client.call("SET", "k", "v");

      client.sendRaw("GET k\r\nPING\r\nSET k w\r\nGET k\r\n");
      asked.join();
      gate.complete(null);

      assertThat(client.reply()).isEqualTo("$1\r\nv\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nw\r\n");
    }
  }

  @Test
  void fault_behindCommands_isAnsweredAfterThem() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.sendRaw("SET k v\r\nGET k\r\n*1\r\n:1\r\nGET k\r\n");

      assertThat(client.rest())
          .isEqualTo("+OK\r\n$1\r\nv\r\n-ERR Protocol error: expected '$', got ':'\r\n");
    }
  }

  @Test
  void quit_amongCommands_skipsTheRest() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client();
        RawResp other = port.client()) {
      client.sendRaw("SET k v\r\nQUIT\r\nSET k w\r\nSET k x\r\n");

      assertThat(client.rest()).isEqualTo("+OK\r\n+OK\r\n");
      assertThat(other.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
    }
  }

  @Test
  void limits_raisedByALogin_applyToLaterCommandsOfThePipeline() {
    try (var port = DataPortFixture.open(ONE_USER, limits -> limits);
        RawResp client = port.client()) {
      String value = "x".repeat(20_000);

      client.sendRaw(
          "*3\r\n$4\r\nAUTH\r\n$1\r\na\r\n$1\r\nb\r\n"
              + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n"
              + value
              + "\r\nGET k\r\n");

      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$20000\r\n" + value + "\r\n");
    }
  }

  @Test
  void select_amongCommands_appliesToLaterCommands() {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.sendRaw("SET k a\r\nSELECT 1\r\nSET k b\r\nSELECT 0\r\nGET k\r\nQUIT\r\n");

      assertThat(client.rest()).isEqualTo("+OK\r\n+OK\r\n+OK\r\n+OK\r\n$1\r\na\r\n+OK\r\n");
    }
  }

  private static void answer(RawResp client, String pipeline) {
    client.sendRaw(pipeline);
    for (int i = 0; i < 32; i++) {
      client.reply();
    }
  }

  /** Reads a pipeline while the key k exists; returns the number of keys that were prefetched. */
  private static int prefetched(String pipeline) throws ProtocolException {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.call("SET", "k", "v");
      var reader = new PipelineReader(RespLimits.defaults(), new Dispatcher(port.server));
      var session =
          new Session(1, new NoPeer(), "client:1", "server:1", port.server.stores().get(0), 0);
      session.user(new User("default", true));

      Call call = reader.read(Unpooled.copiedBuffer(pipeline, StandardCharsets.UTF_8), session);

      assertThat(call).isNotNull();
      return reader.prefetched();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
