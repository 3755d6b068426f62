package io.heatshield.testkit.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultProxyTest {
  private static final byte[] REQUEST = "*1\r\n$4\r\nPING\r\n".getBytes(US_ASCII);
  private static final byte[] REPLY = ":1234567890\r\n".getBytes(US_ASCII);
  private static final Duration LONG = Duration.ofHours(1);

  private ScriptedUpstream upstream;
  private FaultProxy proxy;

  @BeforeEach
  void start() throws IOException {
    upstream = new ScriptedUpstream();
    proxy = FaultProxy.to("127.0.0.1", upstream.port());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    upstream.close();
  }

  @Test
  void pass_oneExchange_bytesAndCountsAgree() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      client.getOutputStream().write(REQUEST);
      byte[] request = server.getInputStream().readNBytes(REQUEST.length);
      server.getOutputStream().write(REPLY);
      byte[] reply = client.getInputStream().readNBytes(REPLY.length);

      assertThat(request).isEqualTo(REQUEST);
      assertThat(reply).isEqualTo(REPLY);
      assertThat(proxy.requestBytes()).isEqualTo(REQUEST.length);
      assertThat(proxy.replyBytes()).isEqualTo(REPLY.length);
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(proxy.openConnections()).isEqualTo(1);
    }
  }

  @Test
  void pass_clientHalfCloses_upstreamCanStillReply() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      client.getOutputStream().write(REQUEST);
      client.shutdownOutput();
      byte[] request = server.getInputStream().readAllBytes();
      server.getOutputStream().write(REPLY);
      server.shutdownOutput();
      byte[] reply = client.getInputStream().readAllBytes();

      assertThat(request).isEqualTo(REQUEST);
      assertThat(reply).isEqualTo(REPLY);
    }
  }

  @ParameterizedTest
  @MethodSource("replyCuts")
  void cutReplyAfter_everyByte_isExact(int n) throws Exception {
    proxy.cutReplyAfter(n);

    try (Socket client = dial();
        Socket server = upstream.next()) {
      client.getOutputStream().write(REQUEST);
      byte[] request = server.getInputStream().readNBytes(REQUEST.length);
      server.getOutputStream().write(REPLY);
      byte[] reply = client.getInputStream().readAllBytes();

      assertThat(request).isEqualTo(REQUEST);
      assertThat(reply).isEqualTo(Arrays.copyOf(REPLY, n));
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      assertThat(proxy.replyBytes()).isEqualTo(n);
      assertThat(proxy.openConnections()).isZero();
    }
  }

  static IntStream replyCuts() {
    return IntStream.rangeClosed(0, REPLY.length);
  }

  @ParameterizedTest
  @MethodSource("requestCuts")
  void cutRequestAfter_everyByte_isExact(int n) throws Exception {
    proxy.cutRequestAfter(n);

    try (Socket client = dial();
        Socket server = upstream.next()) {
      client.getOutputStream().write(REQUEST);
      byte[] request = server.getInputStream().readAllBytes();

      assertThat(request).isEqualTo(Arrays.copyOf(REQUEST, n));
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertThat(proxy.requestBytes()).isEqualTo(n);
    }
  }

  static IntStream requestCuts() {
    return IntStream.rangeClosed(0, REQUEST.length);
  }

  @Test
  void cutReplyAfter_setOnAnOpenConnection_countsFromThatCall() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      server.getOutputStream().write(REPLY);
      client.getInputStream().readNBytes(REPLY.length);

      proxy.cutReplyAfter(3);
      server.getOutputStream().write(REPLY);
      byte[] reply = client.getInputStream().readAllBytes();

      assertThat(reply).isEqualTo(Arrays.copyOf(REPLY, 3));
    }
  }

  @Test
  void cutReplyAfter_bytesInSeveralChunks_countsAcrossThem() throws Exception {
    proxy.cutReplyAfter(5);

    try (Socket client = dial();
        Socket server = upstream.next()) {
      server.getOutputStream().write(REPLY, 0, 2);
      byte[] first = client.getInputStream().readNBytes(2);
      server.getOutputStream().write(REPLY, 2, REPLY.length - 2);
      byte[] rest = client.getInputStream().readAllBytes();

      assertThat(first).hasSize(2);
      assertThat(rest).hasSize(3);
    }
  }

  @Test
  void cutReplyAfter_twoConnections_eachHasItsOwnCount() throws Exception {
    proxy.cutReplyAfter(4);

    for (int i = 0; i < 2; i++) {
      try (Socket client = dial();
          Socket server = upstream.next()) {
        server.getOutputStream().write(REPLY);

        assertThat(client.getInputStream().readAllBytes()).hasSize(4);
      }
    }
  }

  @Test
  void delay_untilSetToPass_holdsBytesBack() throws Exception {
    proxy.delay(LONG);

    try (Socket client = dial();
        Socket server = upstream.next()) {
      client.getOutputStream().write(REQUEST);
      server.setSoTimeout(100);
      assertThatThrownBy(() -> server.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      proxy.pass();
      server.setSoTimeout(20_000);

      assertThat(server.getInputStream().readNBytes(REQUEST.length)).isEqualTo(REQUEST);
    }
  }

  @Test
  void delay_short_forwardsEverything() throws Exception {
    proxy.delay(Duration.ofMillis(1));

    try (Socket client = dial();
        Socket server = upstream.next()) {
      client.getOutputStream().write(REQUEST);
      byte[] request = server.getInputStream().readNBytes(REQUEST.length);
      server.getOutputStream().write(REPLY);
      byte[] reply = client.getInputStream().readNBytes(REPLY.length);

      assertThat(request).isEqualTo(REQUEST);
      assertThat(reply).isEqualTo(REPLY);
    }
  }

  @Test
  void dribble_manyBytes_areForwardedOneByOne() throws Exception {
    proxy.dribble(Duration.ofMillis(2));

    try (Socket client = dial();
        Socket server = upstream.next()) {
      server.getOutputStream().write(REPLY);
      byte[] chunk = new byte[64];
      int first = client.getInputStream().read(chunk);
      byte[] rest = client.getInputStream().readNBytes(REPLY.length - first);

      assertThat(first).isLessThan(REPLY.length);
      assertThat(chunk[0]).isEqualTo(REPLY[0]);
      assertThat(rest).isEqualTo(Arrays.copyOfRange(REPLY, first, REPLY.length));
    }
  }

  @Test
  void dribble_longPause_forwardsNothingBeforeItsEnd() throws Exception {
    proxy.dribble(LONG);

    try (Socket client = dial();
        Socket server = upstream.next()) {
      server.getOutputStream().write(REPLY);
      client.setSoTimeout(100);

      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(proxy.replyBytes()).isZero();
    }
  }

  @Test
  void blackHole_newConnection_isAcceptedAndNeverAnswered() throws Exception {
    proxy.blackHole();

    try (Socket client = dial()) {
      client.getOutputStream().write(REQUEST);
      client.setSoTimeout(100);

      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(upstream.isUntouched()).isTrue();
      assertThat(proxy.requestBytes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void blackHole_presentConnection_losesBothWaysAndStaysLost(boolean upstreamEnds)
      throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      proxy.blackHole();
      server.getOutputStream().write(REPLY);
      if (upstreamEnds) {
        server.shutdownOutput();
      }
      client.setSoTimeout(100);
      for (int reads = 0; reads < 100 && proxy.lostConnections() == 0; reads++) {
        assertThatThrownBy(() -> client.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
      }

      proxy.pass();
      client.getOutputStream().write(REQUEST);
      server.setSoTimeout(100);

      assertThatThrownBy(() -> server.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(proxy.requestBytes() + proxy.replyBytes()).isZero();
    }
  }

  @Test
  void blackHole_nothingLost_connectionContinues() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      proxy.blackHole();
      proxy.pass();
      server.getOutputStream().write(REPLY);

      assertThat(client.getInputStream().readNBytes(REPLY.length)).isEqualTo(REPLY);
    }
  }

  @Test
  void refuse_thenPass_closesAndReopensTheSamePort() throws Exception {
    for (int i = 0; i < 20; i++) {
      proxy.refuse();
      assertThatThrownBy(() -> dial().close()).isInstanceOf(ConnectException.class);

      proxy.pass();
      try (Socket client = dial();
          Socket server = upstream.next()) {
        assertThat(client.isConnected() && server.isConnected()).isTrue();
      }
    }
  }

  @Test
  void refuse_openConnection_keepsForwarding() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      proxy.refuse();
      server.getOutputStream().write(REPLY);

      assertThat(client.getInputStream().readNBytes(REPLY.length)).isEqualTo(REPLY);
    }
  }

  @Test
  void resetAll_openConnection_resetsBothSides() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      proxy.resetAll();

      assertReset(client);
      assertReset(server);
      assertThat(proxy.openConnections()).isZero();
    }
  }

  @Test
  void pass_upstreamDown_clientIsReset() throws Exception {
    // A port that is bound but not listening; a port that was closed may belong to another process
    // by now.
    try (var taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (FaultProxy toNobody = FaultProxy.to("127.0.0.1", taken.getLocalPort());
          Socket client = dial(toNobody)) {
        assertReset(client);
      }
    }
  }

  @Test
  void close_twice_resetsAndRefuses() throws Exception {
    try (Socket client = dial();
        Socket server = upstream.next()) {
      proxy.close();
      proxy.close();

      assertReset(client);
      assertReset(server);
      assertThatThrownBy(() -> dial().close()).isInstanceOf(ConnectException.class);
      assertThatIllegalStateException().isThrownBy(proxy::pass);
    }
  }

  @Test
  void switches_badArguments_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> proxy.delay(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> proxy.dribble(Duration.ofNanos(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> proxy.cutReplyAfter(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> proxy.cutRequestAfter(-1));
  }

  private Socket dial() throws IOException {
    return dial(proxy);
  }

  private static Socket dial(FaultProxy to) throws IOException {
    var socket = new Socket(to.host(), to.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void assertReset(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
  }
}
