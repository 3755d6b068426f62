package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HttpConnectionPropertyTest {
  private static final String H = "Host: localhost\r\n";

  /** Parts from which requests, good and bad, are put together. */
  private static final List<String> PARTS =
      List.of(
          "GET /hello HTTP/1.1\r\n" + H + "\r\n",
          "POST /echo HTTP/1.1\r\n" + H + "Content-Length: 3\r\n\r\nabc",
          "POST /echo HTTP/1.1\r\n" + H + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
          "HEAD /hello HTTP/1.1\r\n" + H + "\r\n",
          "GET /none HTTP/1.0\r\n\r\n",
          "GET /hello HTTP/1.1\r\n" + H + "X: a\r\n b\r\n\r\n",
          "GET /hello HTTP/1.1\r\n" + H + "X : a\r\n\r\n",
          "GET /hello HTTP/1.1\r\n" + H + "Connection: close\r\n\r\n",
          "\r\n",
          " ",
          "0\r\n\r\n",
          "\u0000\u00ff");

  @Property(tries = 100)
  void sameBytes_inAnyFragments_giveTheSameAnswers(
      @ForAll("streams") String stream, @ForAll long seed) {
    byte[] bytes = stream.getBytes(StandardCharsets.ISO_8859_1);
    var random = new Random(seed);
    var whole = new FakeWire(TestServer.hello(), TestServer.echo());
    var pieces = new FakeWire(TestServer.hello(), TestServer.echo());

    whole.send(bytes);
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(20));
      pieces.send(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }

    assertThat(timeless(pieces)).isEqualTo(timeless(whole));
  }

  @Property(tries = 300)
  void anyBytes_areAnsweredOrAwaited_withoutAnError(@ForAll byte[] bytes) {
    var wire = new FakeWire(TestServer.hello());

    wire.send(bytes);

    assertThat(timeless(wire)).matches("(?s)(HTTP/1\\.1 [2-4].*)?");
  }

  @Provide
  Arbitrary<String> streams() {
    return Arbitraries.of(PARTS).list().ofMaxSize(6).map(parts -> String.join("", parts));
  }

  private static String timeless(FakeWire wire) {
    return wire.received().replaceAll("date: [^\r]*", "date");
  }
}
