package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The connection on virtual time. */
class HttpConnectionTest {

  @Test
  void headers_atOneByteASecond_are408AtTheHeaderTimeoutAndNotBefore() {
    var wire = new FakeWire(TestServer.hello());
    String request = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n";

    for (int second = 0; second < 10; second++) {
      wire.send(request.substring(second, second + 1));
      assertThat(wire.received()).as("after %d s", second).isEmpty();
      wire.channel().advanceTimeBy(1, TimeUnit.SECONDS);
      wire.channel().runScheduledPendingTasks();
    }

    assertThat(wire.received()).startsWith("HTTP/1.1 408 ");
  }

  @Test
  void body_atOneByteASecond_is408AtTheBodyTimeout() {
    var wire = new FakeWire(TestServer.echo());
    wire.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n");

    for (int second = 0; second < 30; second++) {
      wire.send("x");
      assertThat(wire.received()).as("after %d s", second).isEmpty();
      wire.channel().advanceTimeBy(1, TimeUnit.SECONDS);
      wire.channel().runScheduledPendingTasks();
    }

    assertThat(wire.received()).startsWith("HTTP/1.1 408 ");
  }

  @Test
  void request_inTime_stopsTheTimers() {
    var wire = new FakeWire(TestServer.hello());
    wire.send("GET /hello HTTP/1.1\r\nHost: ");
    wire.channel().advanceTimeBy(9, TimeUnit.SECONDS);

    wire.send("localhost\r\n\r\n");
    wire.channel().advanceTimeBy(59, TimeUnit.SECONDS);
    wire.channel().runScheduledPendingTasks();

    assertThat(wire.received()).startsWith("HTTP/1.1 200 ").endsWith("hello");
    assertThat(wire.channel().isOpen()).isTrue();
    wire.channel().advanceTimeBy(1, TimeUnit.SECONDS);
    wire.channel().runScheduledPendingTasks();
    assertThat(wire.channel().isOpen()).isFalse();
  }

  @Test
  void handler_thatAnswersAfterItsTimeout_doesNotAnswerTheNextRequest() {
    var late = new CompletableFuture<Response>();
    var next = new CompletableFuture<Response>();
    var wire =
        new FakeWire(
            Route.async(Method.GET, "/first", "Answers late.", r -> late),
            Route.async(Method.GET, "/second", "Answers after the first.", r -> next));
    wire.send("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n");
    wire.channel().advanceTimeBy(30, TimeUnit.SECONDS);
    wire.channel().runScheduledPendingTasks();
    wire.send("GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n");

    late.complete(Response.text(200, "late"));
    wire.channel().runPendingTasks();
    next.complete(Response.text(200, "second"));
    wire.channel().runPendingTasks();

    assertThat(wire.received())
        .startsWith("HTTP/1.1 503 ")
        .endsWith("second")
        .containsOnlyOnce("HTTP/1.1 200 ");
  }
}
