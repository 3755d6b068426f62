package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.testkit.client.RawHttp;
import io.heatshield.testkit.client.RawHttp.Answer;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EventStreamTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final LinkedBlockingQueue<EventStream> opened = new LinkedBlockingQueue<>();
  private final Route events =
      Route.get("/api/v1/events", "Streams.", r -> Response.events(opened::add));

  @Test
  void send_toAListeningClient_arrivesInOrderLineByLine() throws Exception {
    try (var open = TestServer.with(events);
        var client = open.client()) {
      Answer head = client.get("/api/v1/events").answer();
      EventStream stream = opened.take();

      assertThat(stream.send("hot", "{\"key\":\"a\"}")).isTrue();
      assertThat(stream.send("note", "one\r\ntwo\rthree\nevent: forged")).isTrue();
      stream.close();

      assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(head.header("Cache-Control")).isEqualTo("no-store");
      assertThat(client.rest())
          .containsSubsequence(
              "event: hot\ndata: {\"key\":\"a\"}\n\n",
              "event: note\ndata: one\ndata: two\ndata: three\ndata: event: forged\n\n",
              "0\r\n\r\n");
    }
  }

  @Test
  void heartbeat_onAnIdleStream_isSentRepeatedly() {
    HttpLimits limits = TestLimits.streams(1 << 16, Duration.ofMillis(20));
    try (var open = TestServer.limited(limits, events);
        var client = open.client()) {
      client.get("/api/v1/events").answer();

      int beats = 0;
      while (beats < 3) {
        beats += client.line().equals(":") ? 1 : 0;
      }

      assertThat(open.meters().streams.sum()).isEqualTo(1);
    }
  }

  @Test
  void send_toAClientThatDoesNotRead_dropsItWithinTheBound() throws Exception {
    HttpLimits limits = TestLimits.streams(1 << 16, LONG);
    try (var open = TestServer.limited(limits, events);
        var client = deafClient(open)) {
      client.get("/api/v1/events").answer();
      EventStream stream = opened.take();
      var closed = new CountDownLatch(1);
      stream.onClose(closed::countDown);

      long accepted = 0;
      while (stream.send("hot", "x".repeat(1000))) {
        accepted++;
      }

      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(accepted).isGreaterThan(0);
      assertThat(stream.send("hot", "late")).isFalse();
      assertThat(open.meters().droppedStreams.sum()).isEqualTo(1);
      assertThat(open.meters().streams.sum()).isZero();
    }
  }

  @Test
  void heartbeat_onAStreamWithoutProgress_dropsTheReader() throws Exception {
    HttpLimits limits = TestLimits.streams(64 << 20, Duration.ofMillis(100));
    try (var open = TestServer.limited(limits, events);
        var client = deafClient(open)) {
      client.get("/api/v1/events").answer();
      EventStream stream = opened.take();
      var closed = new CountDownLatch(1);
      stream.onClose(closed::countDown);

      stream.send("hot", "x".repeat(16 << 20));

      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(open.meters().droppedStreams.sum()).isEqualTo(1);
    }
  }

  @Test
  void streams_pastTheCap_areAnswered503UntilOneEnds() throws Exception {
    HttpLimits limits = TestLimits.clients(100, 1);
    try (var open = TestServer.limited(limits, events);
        var second = open.client()) {
      var closed = new CountDownLatch(1);
      try (var first = open.client()) {
        assertThat(first.get("/api/v1/events").answer().status()).isEqualTo(200);
        opened.take().onClose(closed::countDown);
        assertThat(second.get("/api/v1/events").answer().status()).isEqualTo(503);
        assertThat(open.meters().rejectedStreams.sum()).isEqualTo(1);
      }

      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      try (var third = open.client()) {
        assertThat(third.get("/api/v1/events").answer().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void stop_closesStreamsImmediately() throws Exception {
    try (var open = TestServer.with(events);
        var client = open.client()) {
      client.get("/api/v1/events").answer();
      EventStream stream = opened.take();

      boolean quiet = open.server().stop(Duration.ofSeconds(30));

      assertThat(quiet).isTrue();
      assertThat(client.rest()).endsWith("0\r\n\r\n");
      assertThat(stream.send("late", "")).isFalse();
      var late = new CountDownLatch(1);
      stream.onClose(late::countDown);
      assertThat(late.getCount()).isZero();
    }
  }

  @Test
  void head_ofAStream_hasNoBodyAndOpensNone() {
    try (var open = TestServer.with(events);
        var client = open.client()) {
      client.send("HEAD /api/v1/events HTTP/1.1\nHost: localhost\n\n");

      assertThat(client.answer(false).header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(open.meters().streams.sum()).isZero();
    }
  }

  @Test
  void send_withANameThatCouldForgeALine_isRefused() throws Exception {
    try (var open = TestServer.with(events);
        var client = open.client()) {
      client.get("/api/v1/events").answer();
      EventStream stream = opened.take();

      assertThatThrownBy(() -> stream.send("a\ndata: b", ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static RawHttp deafClient(TestServer open) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    return new RawHttp(socket, open.server().address());
  }
}
