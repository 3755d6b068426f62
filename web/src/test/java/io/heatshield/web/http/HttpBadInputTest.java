package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawHttp.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of malformed or oversized request, over a real socket. */
class HttpBadInputTest {
  private static final String H = "Host: localhost\n";

  private static TestServer open;

  @BeforeAll
  static void openPort() {
    open = TestServer.with(TestServer.hello(), TestServer.echo());
  }

  @AfterAll
  static void closePort() {
    open.close();
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        bad(
            400,
            "length and chunked",
            "POST /echo HTTP/1.1\n" + H + "Content-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n"),
        bad(
            400,
            "chunked and length",
            "POST /echo HTTP/1.1\n" + H + "Transfer-Encoding: chunked\nContent-Length: 3\n\n0\n\n"),
        bad(
            400,
            "two lengths",
            "POST /echo HTTP/1.1\n" + H + "Content-Length: 3\nContent-Length: 4\n\nabcd"),
        bad(400, "listed lengths", "POST /echo HTTP/1.1\n" + H + "Content-Length: 3, 3\n\nabc"),
        bad(400, "signed length", "POST /echo HTTP/1.1\n" + H + "Content-Length: +3\n\nabc"),
        bad(400, "negative length", "POST /echo HTTP/1.1\n" + H + "Content-Length: -3\n\nabc"),
        bad(400, "hexadecimal length", "POST /echo HTTP/1.1\n" + H + "Content-Length: 0x3\n\nabc"),
        bad(
            400,
            "gzip, chunked",
            "POST /echo HTTP/1.1\n" + H + "Transfer-Encoding: gzip, chunked\n\n0\n\n"),
        bad(400, "identity", "POST /echo HTTP/1.1\n" + H + "Transfer-Encoding: identity\n\n"),
        bad(
            400,
            "chunked twice",
            "POST /echo HTTP/1.1\n"
                + H
                + "Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n"),
        bad(
            400,
            "chunked in 1.0",
            "POST /echo HTTP/1.0\n" + H + "Transfer-Encoding: chunked\n\n0\n\n"),
        bad(400, "chunk size not hex", chunked("xyz\nabc\n0\n\n")),
        bad(400, "chunk size negative", chunked("-1\nabc\n0\n\n")),
        bad(400, "chunk size signed", chunked("+3\nabc\n0\n\n")),
        bad(400, "chunk size prefixed", chunked("0x3\nabc\n0\n\n")),
        bad(400, "chunk size past an int", chunked("fffffffff\nabc\n")),
        bad(400, "chunk longer than its size", chunked("3\nabcdef\n0\n\n")),
        bad(400, "folded header", "GET /hello HTTP/1.1\n" + H + "X: a\n b\n\n"),
        bad(400, "folded by a tab", "GET /hello HTTP/1.1\n" + H + "X: a\n\tb\n\n"),
        bad(400, "first header folded", "GET /hello HTTP/1.1\n X: a\n" + H + "\n"),
        bad(400, "blank before the colon", "GET /hello HTTP/1.1\n" + H + "X : a\n\n"),
        bad(400, "header without a colon", "GET /hello HTTP/1.1\n" + H + "nonsense\n\n"),
        bad(400, "header without a name", "GET /hello HTTP/1.1\n" + H + ": a\n\n"),
        bad(400, "NUL in a header", "GET /hello HTTP/1.1\n" + H + "X: a\0b\n\n"),
        bad(400, "bare CR in a header", "GET /hello HTTP/1.1\n" + H + "X: a\rb\n\n"),
        bad(400, "invalid method", "G@T /hello HTTP/1.1\n" + H + "\n"),
        bad(400, "invalid version", "GET /hello HTTP/1.2\n" + H + "\n"),
        bad(400, "HTTP/2", "PRI * HTTP/2.0\n\nSM\n\n"),
        bad(400, "another protocol", "GET /hello ICY/1.1\n" + H + "\n"),
        bad(400, "no version", "GET /hello\n" + H + "\n"),
        bad(400, "blank in the target", "GET /hel lo HTTP/1.1\n" + H + "\n"),
        bad(400, "raw byte in the target", "GET /h\u00e9llo HTTP/1.1\n" + H + "\n"),
        bad(400, "fragment in the target", "GET /hello#x HTTP/1.1\n" + H + "\n"),
        bad(400, "asterisk", "OPTIONS * HTTP/1.1\n" + H + "\n"),
        bad(400, "no host", "GET /hello HTTP/1.1\n\n"),
        bad(400, "two hosts", "GET /hello HTTP/1.1\n" + H + H + "\n"),
        bad(400, "malformed host", "GET /hello HTTP/1.1\nHost: local host\n\n"),
        bad(400, "user in the host", "GET /hello HTTP/1.1\nHost: a@localhost\n\n"),
        bad(400, "only noise", "\u0001\u0002\u0003\n\n"),
        bad(
            417,
            "unknown expectation",
            "POST /echo HTTP/1.1\n" + H + "Expect: tea\nContent-Length: 3\n\nabc"),
        bad(
            413,
            "length over the limit",
            "POST /echo HTTP/1.1\n" + H + "Content-Length: 65537\n\n"),
        bad(
            413,
            "expectation over the limit",
            "POST /echo HTTP/1.1\n" + H + "Expect: 100-continue\nContent-Length: 65537\n\n"),
        bad(
            413,
            "length past an int",
            "POST /echo HTTP/1.1\n" + H + "Content-Length: 99999999999\n\n"),
        bad(
            413,
            "chunks over the limit",
            chunked(
                "8000\n" + "x".repeat(0x8000) + "\n8000\n" + "x".repeat(0x8000) + "\n1\nx\n0\n\n")),
        bad(414, "long target", "GET /" + "a".repeat(9000) + " HTTP/1.1\n" + H + "\n"),
        bad(414, "endless first line", "G".repeat(9000)),
        bad(
            431,
            "one long header",
            "GET /hello HTTP/1.1\n" + H + "X: " + "a".repeat(100 << 10) + "\n\n"),
        bad(
            431,
            "many headers",
            "GET /hello HTTP/1.1\n" + H + "X: aaaaaaaaaa\n".repeat(700) + "\n"),
        bad(431, "endless header", "GET /hello HTTP/1.1\n" + H + "X: " + "a".repeat(9000)),
        bad(431, "long trailer", chunked("0\nX: " + "a".repeat(9000) + "\n\n")));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("refused")
  void request_malformedOrTooLarge_isRefusedAndClosed(int status, String name, String request) {
    long before = open.meters().badRequests.sum();
    try (var client = open.client()) {
      Answer answer = client.send(request).answer();

      assertThat(answer.status()).as(name).isEqualTo(status);
      assertThat(answer.header("Connection")).isEqualTo("close");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(client.rest()).isEmpty();
      assertThat(open.meters().badRequests.sum()).isEqualTo(before + 1);
    }
  }

  @Test
  void request_withLengthAndChunks_isRefusedWithTheReason() {
    try (var client = open.client()) {
      client.send(
          "POST /echo HTTP/1.1\n" + H + "Content-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n");

      assertThat(client.answer().body()).contains("both Content-Length and Transfer-Encoding");
    }
  }

  @Test
  void request_thatIsRefused_hidesWhatFollowsIt() {
    try (var client = open.client()) {
      client.send("GET /hello HTTP/1.1\n" + H + "X : a\n\nGET /hello HTTP/1.1\n" + H + "\n");

      assertThat(client.answer().status()).isEqualTo(400);
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void headers_atTheLimit_areAccepted() {
    try (var client = open.client()) {
      client.send("GET /hello HTTP/1.1\n" + H + "X: " + "a".repeat(8100) + "\n\n");

      assertThat(client.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void body_atTheLimit_isAccepted() {
    try (var client = open.client()) {
      client.send("POST /echo HTTP/1.1\n" + H + "Content-Length: 65536\n\n" + "x".repeat(65536));

      assertThat(client.answer().body()).hasSize(65536);
    }
  }

  private static String chunked(String body) {
    return "POST /echo HTTP/1.1\n" + H + "Transfer-Encoding: chunked\n\n" + body;
  }

  private static Arguments bad(int status, String name, String request) {
    return Arguments.of(status, name, request);
  }
}
