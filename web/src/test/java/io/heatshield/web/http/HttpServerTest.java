package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.key.KeyText;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.testkit.client.RawHttp;
import io.heatshield.testkit.client.RawHttp.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HttpServerTest {

  @Test
  void get_knownPath_isAnsweredWithSafetyHeaders() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      Answer answer = client.get("/hello").answer();

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("hello");
      assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
      assertThat(answer.header("Content-Security-Policy"))
          .isEqualTo(
              "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
      assertThat(answer.headers())
          .doesNotContainKeys("server", "cache-control")
          .containsKey("date");
    }
  }

  @Test
  void get_unknownPath_is404InJsonUnderApiAndTextElsewhere() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      Answer text = client.get("/no%0Ane<b>").answer();
      Answer json = client.get("/api/v1/n\"one").answer();

      assertThat(text.status()).isEqualTo(404);
      assertThat(text.header("Content-Type")).startsWith("text/plain");
      assertThat(text.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(json.header("Content-Type")).isEqualTo("application/json");
      assertThat(json.header("Cache-Control")).isEqualTo("no-store");
      assertThat(json.body())
          .isEqualTo("{\"error\":\"not found: /api/v1/n\\\"one\",\"status\":404}");
    }
  }

  @Test
  void anyMethod_notOfTheRoute_is405WithAllow() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      for (String method : List.of("POST", "OPTIONS", "DELETE", "TRACE", "CONNECT", "brew")) {
        Answer answer = client.send(method + " /hello HTTP/1.1\nHost: localhost\n\n").answer();

        assertThat(answer.status()).as(method).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
      }
    }
  }

  @Test
  void head_ofAGetRoute_hasTheHeadersWithoutTheBody() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      Answer head = client.send("HEAD /hello HTTP/1.1\nHost: localhost\n\n").answer(false);
      Answer next = client.get("/hello").answer();

      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("Content-Length")).isEqualTo("5");
      assertThat(next.body()).isEqualTo("hello");
    }
  }

  @Test
  void pathParameter_ofAnyBytes_reachesTheHandlerDecoded() {
    var route =
        Route.get(
            "/api/v1/keys/{key}",
            "Shows a key.",
            r -> Response.text(200, KeyText.of(r.parameter("key")) + "|" + r.query("scope")));
    try (var open = TestServer.with(route);
        var client = open.client()) {
      Answer answer = client.get("/api/v1/keys/a%2Fb%00%ff+?scope=x%20y%26z").answer();

      assertThat(answer.body()).isEqualTo("a/b\\x00\\xff+|x y&z");
    }
  }

  @Test
  void pathOrQuery_malformedEncoding_is400AndTheConnectionStaysOpen() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      assertThat(client.get("/%zz").answer().status()).isEqualTo(400);
      assertThat(client.get("/hello?a=%4").answer().status()).isEqualTo(400);
      assertThat(client.get("/hello?a=1&a=2").answer().status()).isEqualTo(400);
      assertThat(client.get("/hello").answer().status()).isEqualTo(200);
    }
  }

  @Test
  void pipelinedRequests_whoseAnswersComeLate_areAnsweredInOrder() throws Exception {
    var running = new LinkedBlockingQueue<CompletableFuture<Response>>();
    var slow =
        Route.async(
            Method.GET,
            "/slow",
            "Answers when the test does.",
            request -> {
              var answer = new CompletableFuture<Response>();
              running.add(answer);
              return answer;
            });
    try (var open = TestServer.with(slow, TestServer.hello());
        var client = open.client()) {
      client.send(
          """
          GET /slow HTTP/1.1
          Host: localhost

          GET /hello HTTP/1.1
          Host: localhost

          GET /nothing HTTP/1.1
          Host: localhost

          """);
      running.take().complete(Response.text(200, "first"));

      assertThat(client.answer().body()).isEqualTo("first");
      assertThat(client.answer().body()).isEqualTo("hello");
      assertThat(client.answer().status()).isEqualTo(404);
    }
  }

  @Test
  void pipelinedRequests_byTheThousand_areAllAnsweredWithoutDeepStacks() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      client.sendRaw("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3000));

      for (int i = 0; i < 3000; i++) {
        assertThat(client.answer().status()).isEqualTo(200);
      }
      assertThat(open.meters().responses(2)).isEqualTo(3000);
    }
  }

  @Test
  void body_inTinyChunks_isPutTogether() {
    try (var open = TestServer.with(TestServer.echo());
        var client = open.client()) {
      client.send("POST /echo HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n");
      client.sendRaw("1\r\nx\r\n".repeat(20_000)).send("0\n\n");

      assertThat(client.answer().body()).isEqualTo("x".repeat(20_000));
    }
  }

  @Test
  void expectContinue_isMetBeforeTheBody() {
    try (var open = TestServer.with(TestServer.echo());
        var client = open.client()) {
      client.send(
          "POST /echo HTTP/1.1\nHost: localhost\nExpect: 100-continue\nContent-Length: 3\n\n");

      assertThat(client.answer().status()).isEqualTo(100);
      assertThat(client.sendRaw("abc").answer().body()).isEqualTo("abc");
    }
  }

  @Test
  void http10_isAnsweredAndClosedUnlessKeepAlive() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      Answer stays = client.send("GET /hello HTTP/1.0\nConnection: keep-alive\n\n").answer();
      Answer last = client.send("GET /hello HTTP/1.0\n\n").answer();

      assertThat(stays.header("Connection")).isEqualTo("keep-alive");
      assertThat(last.header("Connection")).isEqualTo("close");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void client_thatHalfClosesAfterARequest_isStillAnswered() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      client.get("/hello").endInput();

      assertThat(client.answer().body()).isEqualTo("hello");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void absoluteTarget_isServedByItsPath() {
    try (var open = TestServer.with(TestServer.hello());
        var client = open.client()) {
      client.send("GET http://localhost/hello HTTP/1.1\nHost: localhost\n\n");

      assertThat(client.answer().body()).isEqualTo("hello");
    }
  }

  @Test
  void handler_thatThrowsOrFailsOrReturnsNull_is500WithAnIdAndNoDetails() {
    Route throwing =
        Route.get(
            "/api/throw",
            "Throws.",
            r -> {
              throw new IllegalStateException("secret detail");
            });
    Route failing =
        Route.async(
            Method.GET,
            "/api/fail",
            "Fails.",
            r -> CompletableFuture.failedFuture(new IllegalStateException("secret detail")));
    try (var open = TestServer.with(throwing, failing);
        var client = open.client()) {
      for (String path : List.of("/api/throw", "/api/fail")) {
        Answer answer = client.get(path).answer();

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).containsPattern("error [0-9a-f]{12}").doesNotContain("secret");
      }
      assertThat(open.meters().responses(5)).isEqualTo(2);
    }
  }

  @Test
  void handler_thatRejectsItsInput_is400WithTheReason() {
    Route picky = Route.get("/api/n", "Counts.", r -> Response.json(r.queryInt("n", 10, 1, 100)));
    try (var open = TestServer.with(picky);
        var client = open.client()) {
      assertThat(client.get("/api/n").answer().body()).isEqualTo("10");
      assertThat(client.get("/api/n?n=7").answer().body()).isEqualTo("7");
      assertThat(client.get("/api/n?n=1e3").answer().body())
          .isEqualTo("{\"error\":\"n must be a number from 1 to 100: 1e3\",\"status\":400}");
    }
  }

  @Test
  void start_onATakenAddress_namesIt() {
    try (var open = TestServer.with()) {
      var transport = new Transport(1);
      try {
        HttpServer second =
            HttpServer.builder(transport, open.server().address(), Routes.builder().build("1"))
                .build();

        assertThatThrownBy(second::start)
            .isInstanceOf(AddressTakenException.class)
            .hasMessageContaining("127.0.0.1:" + open.server().address().getPort());
      } finally {
        transport.stop(Duration.ofSeconds(30));
      }
    }
  }

  @Test
  void stop_closesIdleConnectionsAndLetsARunningRequestFinish() throws Exception {
    var answer = new CompletableFuture<Response>();
    var running = new CountDownLatch(1);
    var slow =
        Route.async(
            Method.GET,
            "/slow",
            "Answers when the test does.",
            request -> {
              running.countDown();
              return answer;
            });
    try (var open = TestServer.with(slow, TestServer.hello());
        var idle = open.client();
        var busy = open.client()) {
      idle.get("/hello").answer();
      busy.get("/slow");
      assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

      var stopped = CompletableFuture.supplyAsync(() -> open.server().stop(Duration.ofSeconds(30)));
      assertThat(idle.rest()).isEmpty();
      assertThat(stopped).isNotDone();
      answer.complete(Response.text(200, "done"));

      Answer last = busy.answer();
      assertThat(last.body()).isEqualTo("done");
      assertThat(last.header("Connection")).isEqualTo("close");
      busy.endInput();
      assertThat(stopped.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void stop_pastTheDeadline_closesWhatStillRuns() throws Exception {
    var running = new CountDownLatch(1);
    var never =
        Route.async(
            Method.GET,
            "/never",
            "Never answers.",
            request -> {
              running.countDown();
              return new CompletableFuture<>();
            });
    try (var open = TestServer.with(never);
        var client = open.client()) {
      client.get("/never");
      assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

      boolean quiet = open.server().stop(Duration.ofMillis(1));

      assertThat(quiet).isFalse();
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void connections_pastTheLimit_areAnswered503AndCounted() {
    try (var open = TestServer.limited(TestLimits.clients(2, 1), TestServer.hello())) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        RawHttp client = open.client();
        clients.add(client);
        assertThat(client.get("/hello").answer().status()).isEqualTo(200);
      }

      try (var extra = open.client()) {
        assertThat(extra.answer().status()).isEqualTo(503);
        assertThat(extra.rest()).isEmpty();
      }
      assertThat(open.meters().rejectedConnections.sum()).isEqualTo(1);
      assertThat(open.meters().connections.sum()).isEqualTo(2);
      clients.forEach(RawHttp::close);
    }
  }
}
