package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.tls.TlsFiles;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that shut their side after their last command, as {@code nc -N} does. */
@Timeout(120)
class HalfCloseTest {
  private static final int LOOPS = 2;

  @Test
  void halfClose_duringEngineCalls_getsEveryReply() throws Exception {
    var gate = new CompletableFuture<Void>();
    var asked = new CompletableFuture<Void>();
    try (var port =
            DataPortFixture.open(
                DataPortFixture.ADMINS, limits -> limits, new LateEngine(gate, asked), null);
        RawResp client = port.client()) {
      client.sendRaw("SET k v\r\nGET k\r\nPING\r\nGET");
      client.socket().shutdownOutput();
      asked.get();
      // The loop of the client has seen its end once it has answered others that came later.
      for (int i = 0; i < LOOPS; i++) {
        try (RawResp other = port.client()) {
          other.call("PING");
        }
      }
      gate.complete(null);

      assertThat(client.rest()).isEqualTo("+OK\r\n$1\r\nv\r\n+PONG\r\n");
    }
  }

  @Test
  void halfClose_byAClientThatReadsLate_getsAnswersLargerThanTheSocket() throws Exception {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.call("SET", "big", "v".repeat(60_000));

      client.sendRaw("GET big\r\n".repeat(400));
      client.socket().shutdownOutput();
      await(() -> port.respPort().heldBytes() > 1 << 20);

      assertThat(client.rest()).hasSize(400 * (60_000 + 10));
    }
  }

  @Test
  void halfClose_byAClientThatNeverReads_isClosedAtTheStallTimeout() throws Exception {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.call("SET", "big", "v".repeat(60_000));

      client.sendRaw("GET big\r\n".repeat(1000));
      client.socket().shutdownOutput();

      await(
          () -> {
            port.ticker.advance(Duration.ofSeconds(11));
            port.respPort().sweep();
            return port.counters.slowReaders() == 1;
          });
      await(() -> port.respPort().heldBytes() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SUBSCRIBE __hotkey__", "MULTI", "PING"})
  void halfClose_afterALongCommand_isAnsweredAndClosed(String command) throws Exception {
    try (var port = DataPortFixture.open();
        RawResp client = port.client()) {
      client.sendRaw(command + "\r\n");
      client.socket().shutdownOutput();

      assertThat(client.rest()).isNotEmpty();
      await(() -> port.counters.clients() == 0);
    }
  }

  /** In TLS 1.3, that is: RFC 5246 has a server discard what it still wanted to say in TLS 1.2. */
  @Test
  void halfClose_overTls_getsEveryAnswer(@TempDir Path folder) throws Exception {
    SelfSignedCertificate pair = SelfSignedCertificate.make(folder, "localhost");
    var gate = new CompletableFuture<Void>();
    var asked = new CompletableFuture<Void>();
    TlsMaterial tls = TlsMaterial.load(pair.write(folder, TlsFiles::of));
    try (var port =
            DataPortFixture.open(
                DataPortFixture.ADMINS, limits -> limits, new LateEngine(gate, asked), tls);
        SSLSocket socket = socket(pair)) {
      socket.setEnabledProtocols(new String[] {"TLSv1.3"});
      socket.connect(port.respPort().address());
      socket.getOutputStream().write(latin("SET k v\r\nGET k\r\nPING\r\n"));
      socket.shutdownOutput();
      asked.get();
      for (int i = 0; i < LOOPS; i++) {
        try (SSLSocket other = socket(pair)) {
          other.connect(port.respPort().address());
          other.getOutputStream().write(latin("QUIT\r\n"));
          rest(other);
        }
      }
      gate.complete(null);

      assertThat(rest(socket)).isEqualTo("+OK\r\n$1\r\nv\r\n+PONG\r\n");
    }
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static SSLSocket socket(SelfSignedCertificate trusted) throws IOException {
    return (SSLSocket) trusted.trustingContext().getSocketFactory().createSocket();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }
}
