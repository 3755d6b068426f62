package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.runtime.tls.TlsFiles;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.runtime.tls.TlsMaterial.Refresh;
import io.heatshield.testkit.client.RawHttp;
import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(120)
class HttpServerTlsTest {
  private static SelfSignedCertificate first;
  private static SelfSignedCertificate second;

  @TempDir Path folder;

  @BeforeAll
  static void createCertificates(@TempDir Path keys) {
    first = SelfSignedCertificate.make(keys, "first");
    second = SelfSignedCertificate.make(keys, "second");
  }

  @Test
  void request_overTls_isAnswered() throws Exception {
    try (var open = server(TlsMaterial.load(first.write(folder, TlsFiles::of)));
        var client = client(open, first, null)) {
      assertThat(client.get("/hello").answer().body()).isEqualTo("hello");
      assertThat(open.server().isTls()).isTrue();

      client.send("GET /hello HTTP/1.1\nHost: localhost\nConnection: close\n\n");
      assertThat(client.answer().header("Connection")).isEqualTo("close");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void halfClose_whileTheRequestRuns_isAnswered() throws Exception {
    var running = new CompletableFuture<CompletableFuture<Response>>();
    Route late =
        Route.async(
            Method.GET,
            "/late",
            "Answers when the test says so.",
            request -> {
              var answer = new CompletableFuture<Response>();
              running.complete(answer);
              return answer;
            });
    TlsMaterial material = TlsMaterial.load(first.write(folder, TlsFiles::of));
    try (var open =
            new TestServer(
                table -> table.add(late).add(TestServer.hello()), server -> server.tls(material));
        var client = client(open, first, null)) {
      client.get("/late").endInput();
      CompletableFuture<Response> answer = running.get();
      // The loop of the client has seen its end once it has answered others that came later.
      for (int i = 0; i < 4; i++) {
        try (var other = client(open, first, null)) {
          other.get("/hello").answer();
        }
      }
      answer.complete(Response.text(200, "late"));

      assertThat(client.answer().body()).isEqualTo("late");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void reload_newCertificate_isUsedForNewConnectionsAndOldOnesStayOpen() throws Exception {
    TlsMaterial material = TlsMaterial.load(first.write(folder, TlsFiles::of));
    try (var open = server(material);
        var before = client(open, first, null)) {
      assertThat(before.get("/hello").answer().status()).isEqualTo(200);

      second.write(folder, TlsFiles::of);
      assertThat(material.refresh()).isEqualTo(Refresh.RELOADED);

      assertThat(shown(open, second)).isEqualTo(second.certificate());
      assertThat(before.get("/hello").answer().status()).isEqualTo(200);
    }
  }

  @Test
  void reload_ofBrokenFiles_keepsServingTheOldCertificate() throws Exception {
    TlsFiles files = first.write(folder, TlsFiles::of);
    TlsMaterial material = TlsMaterial.load(files);
    try (var open = server(material)) {
      Files.writeString(files.certificates(), "-----BEGIN CERTIFICATE-----\nbroken");

      assertThat(material.refresh()).isEqualTo(Refresh.BROKEN);

      assertThat(shown(open, first)).isEqualTo(first.certificate());
    }
  }

  @Test
  void mutualTls_refusesAClientWithoutCertificateAndTakesOneWith() throws Exception {
    TlsFiles files = first.write(folder, TlsFiles::of);
    Path roots = second.writeCertificate(folder.resolve("ca.pem"));
    try (var open = server(TlsMaterial.load(files.demanding(roots)))) {
      try (var client = client(open, first, second)) {
        assertThat(client.get("/hello").answer().status()).isEqualTo(200);
      }

      assertThatThrownBy(
              () -> {
                try (var client = client(open, first, null)) {
                  client.get("/hello").answer();
                }
              })
          .hasStackTraceContaining("IOException");
      assertThatThrownBy(
              () -> {
                try (var client = client(open, first, first)) {
                  client.get("/hello").answer();
                }
              })
          .hasStackTraceContaining("IOException");
      assertThat(open.meters().responses(2)).isEqualTo(1);
    }
  }

  @Test
  void plainRequest_onTheTlsPort_isClosedWithALogLine() throws Exception {
    ListAppender<ILoggingEvent> lines = listen();
    try (var open = server(TlsMaterial.load(first.write(folder, TlsFiles::of)));
        var client = open.client()) {
      client.get("/hello");

      assertThat(client.rest()).doesNotContain("HTTP/1.1");
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains("must use https://"));
  }

  @Test
  void tlsHello_onThePlainPort_isClosedWithALogLine() {
    ListAppender<ILoggingEvent> lines = listen();
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      client.sendRaw("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003");

      assertThat(client.rest()).isEmpty();
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains("must use http://"));
  }

  private static TestServer server(TlsMaterial material) {
    return new TestServer(table -> table.add(TestServer.hello()), server -> server.tls(material));
  }

  private static X509Certificate shown(TestServer open, SelfSignedCertificate trusted)
      throws Exception {
    try (SSLSocket socket = socket(trusted, null)) {
      socket.connect(open.server().address());
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static RawHttp client(
      TestServer open, SelfSignedCertificate trusted, @Nullable SelfSignedCertificate own)
      throws Exception {
    return new RawHttp(socket(trusted, own), open.server().address());
  }

  private static SSLSocket socket(
      SelfSignedCertificate trusted, @Nullable SelfSignedCertificate own) throws IOException {
    return (SSLSocket) trusted.contextPresenting(own).getSocketFactory().createSocket();
  }

  private static ListAppender<ILoggingEvent> listen() {
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    ((Logger) LoggerFactory.getLogger(HttpServer.class)).addAppender(lines);
    return lines;
  }
}
