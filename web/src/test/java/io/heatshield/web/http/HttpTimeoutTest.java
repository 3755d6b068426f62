package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawHttp;
import io.heatshield.testkit.client.RawHttp.Answer;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients and handlers that take too long; every test waits on the socket, never on a clock. */
@Timeout(120)
class HttpTimeoutTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void headers_thatDribble_are408AndClosed() {
    HttpLimits limits = TestLimits.readTimeouts(SHORT, LONG, LONG);
    try (var open = TestServer.limited(limits, TestServer.hello());
        var client = open.client()) {
      client.sendRaw("GET /hello HT");

      Answer answer = client.answer();

      assertThat(answer.status()).isEqualTo(408);
      assertThat(answer.header("Connection")).isEqualTo("close");
      assertThat(client.rest()).isEmpty();
      assertThat(open.meters().timeouts.sum()).isEqualTo(1);
    }
  }

  @Test
  void headersOfASecondRequest_thatDribble_are408() {
    HttpLimits limits = TestLimits.readTimeouts(SHORT, LONG, LONG);
    try (var open = TestServer.limited(limits, TestServer.hello());
        var client = open.client()) {
      client.send("GET /hello HTTP/1.1\nHost: localhost\n\nGET /hello HT");

      assertThat(client.answer().status()).isEqualTo(200);
      assertThat(client.answer().status()).isEqualTo(408);
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void connection_thatNeverSpeaks_isClosedAtTheHeaderTimeout() {
    HttpLimits limits = TestLimits.readTimeouts(SHORT, LONG, LONG);
    try (var open = TestServer.limited(limits, TestServer.hello());
        var client = open.client()) {
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void body_thatIsMissing_is408AndClosed() {
    HttpLimits limits = TestLimits.readTimeouts(LONG, SHORT, LONG);
    try (var open = TestServer.limited(limits, TestServer.echo());
        var client = open.client()) {
      client.send("POST /echo HTTP/1.1\nHost: localhost\nContent-Length: 3\n\nab");

      assertThat(client.answer().status()).isEqualTo(408);
      assertThat(client.rest()).isEmpty();
      assertThat(open.meters().timeouts.sum()).isEqualTo(1);
    }
  }

  @Test
  void connection_idleBetweenRequests_isClosedWithoutAResponse() {
    HttpLimits limits = TestLimits.readTimeouts(LONG, LONG, SHORT);
    try (var open = TestServer.limited(limits, TestServer.hello());
        var client = open.client()) {
      assertThat(client.get("/hello").answer().status()).isEqualTo(200);

      assertThat(client.rest()).isEmpty();
      assertThat(open.meters().timeouts.sum()).isZero();
    }
  }

  @Test
  void handler_neverResponds_is503AndTheConnectionStaysOpen() {
    HttpLimits limits = TestLimits.answerTimeouts(SHORT, LONG, LONG);
    Route never =
        Route.async(Method.GET, "/api/never", "Never answers.", r -> new CompletableFuture<>());
    try (var open = TestServer.limited(limits, never, TestServer.hello());
        var client = open.client()) {
      assertThat(client.get("/api/never").answer().status()).isEqualTo(503);
      assertThat(client.get("/hello").answer().status()).isEqualTo(200);
      assertThat(open.meters().timeouts.sum()).isEqualTo(1);
    }
  }

  @Test
  void reader_thatDoesNotRead_isClosedAtTheWriteTimeout() throws IOException {
    HttpLimits limits = TestLimits.answerTimeouts(LONG, SHORT, LONG);
    byte[] large = new byte[32 << 20];
    Route big = Route.get("/big", "Is big.", r -> Response.of(200, Response.TEXT, large));
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    try (var open = TestServer.limited(limits, big);
        var client = new RawHttp(socket, open.server().address())) {
      client.get("/big");

      while (open.meters().connections.sum() > 0 || open.meters().timeouts.sum() == 0) {
        Thread.onSpinWait();
      }

      assertThat(open.meters().timeouts.sum()).isEqualTo(1);
    }
  }

  @Test
  void client_thatStaysAfterTheLastAnswer_isClosedAfterTheLinger() {
    HttpLimits limits = TestLimits.answerTimeouts(LONG, LONG, SHORT);
    try (var open = TestServer.limited(limits, TestServer.hello());
        var client = open.client()) {
      client.send("GET /hello HTTP/1.1\nHost: localhost\nConnection: close\n\n");

      assertThat(client.answer().status()).isEqualTo(200);
      assertThat(client.rest()).isEmpty();
      while (open.meters().connections.sum() > 0) {
        Thread.onSpinWait();
      }
    }
  }
}
