package io.heatshield.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.config.settings.WebhookSettings;
import io.heatshield.config.value.WebhookUrl;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.KeyReport;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.HotEvent;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.Transport;
import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.web.http.HttpServer;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.http.Routes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** A webhook against a small HTTP server that fails, hangs and recovers. */
@Timeout(120)
class WebhookTest {
  private static final int HANG = -1;

  private final Metrics metrics = new Metrics();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Response> hanging = new CompletableFuture<>();
  private final Transport transport = new Transport(1);
  private final HttpServer receiver =
      HttpServer.builder(
              transport,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              Routes.builder()
                  .add(Route.async(Method.POST, "/hook", "Takes a turn.", this::take).open())
                  .build("1"))
          .build();

  private @Nullable Webhook webhook;

  @BeforeEach
  void start() throws IOException {
    receiver.start();
  }

  @AfterEach
  void stop() {
    if (webhook != null) {
      webhook.stop(Duration.ofSeconds(5));
    }
    receiver.stop(Duration.ofSeconds(1));
    transport.stop(Duration.ofSeconds(30));
    metrics.close();
  }

  @Test
  void offer_receiverFailsHangsAndRecovers_postsEveryEventInOrder() {
    answers.addAll(List.of(503, HANG, 429, 204));
    Webhook posting = open(receiver.address().getPort(), 5, 10);

    posting.offer(event(true, "cart:42"));
    posting.offer(event(false, "cart:42"));
    until(() -> metric("webhook_delivered_total") == 2);

    assertThat(bodies).hasSize(5);
    assertThat(bodies.subList(0, 4)).allMatch(body -> body.startsWith("{\"event\":\"hot\""));
    assertThat(bodies.get(4)).startsWith("{\"event\":\"cool\"").contains("\"key\":\"cart:42\"");
    assertThat(metric("webhook_retries_total")).isEqualTo(3);
    assertThat(metric("webhook_failed_total")).isZero();
  }

  @Test
  void offer_rejectedOrNeverAnswered_isGivenUp() {
    answers.addAll(List.of(404, 302, 500, 500, 500));
    Webhook posting = open(receiver.address().getPort(), 3, 10);

    posting.offer(event(true, "refused"));
    posting.offer(event(true, "moved"));
    posting.offer(event(true, "broken"));
    posting.offer(event(true, "fine"));
    until(() -> metric("webhook_delivered_total") == 1);

    assertThat(metric("webhook_failed_total")).isEqualTo(3);
    assertThat(bodies).hasSize(6);
  }

  @Test
  void offer_eachEvent_hasTheNextNumberAndTheSender() {
    answers.addAll(List.of(204, 404, 204));
    Webhook posting = open(receiver.address().getPort(), 1, 10);

    posting.offer(event(true, "one"));
    posting.offer(event(true, "refused"));
    posting.offer(event(false, "one"));
    until(() -> metric("webhook_delivered_total") == 2);

    assertThat(bodies).allMatch(body -> body.contains("\"sender\":\"node-1\""));
    assertThat(bodies.get(0)).contains("\"sequence\":1");
    assertThat(bodies.get(2)).contains("\"sequence\":3", "\"event\":\"cool\"");
  }

  @Test
  void offer_coolOfAKeyWhoseHotWasGivenUp_isNotPostedUntilItIsHotAgain() {
    answers.addAll(List.of(404, 204));
    Webhook posting = open(receiver.address().getPort(), 1, 10);

    posting.offer(event(true, "lost"));
    posting.offer(event(false, "lost"));
    posting.offer(event(true, "lost"));
    posting.offer(event(false, "lost"));
    until(() -> metric("webhook_delivered_total") == 2);

    assertThat(bodies).hasSize(3);
    assertThat(bodies.get(1)).contains("\"event\":\"hot\"", "\"sequence\":3");
    assertThat(bodies.get(2)).contains("\"event\":\"cool\"", "\"sequence\":4");
    assertThat(metric("webhook_unpaired_total")).isEqualTo(1);
  }

  @Test
  void offer_coolOfAKeyWhoseHotWasDropped_isNotPosted() {
    answers.add(HANG);
    Webhook posting = open(receiver.address().getPort(), 1, 1, Duration.ofSeconds(20));
    posting.offer(event(true, "held"));
    until(() -> bodies.size() == 1);
    posting.offer(event(true, "waits"));
    posting.offer(event(true, "dropped"));
    hanging.complete(Response.empty(204));
    until(() -> metric("webhook_delivered_total") == 2);

    posting.offer(event(false, "dropped"));
    posting.offer(event(false, "waits"));
    until(() -> metric("webhook_delivered_total") == 3);

    assertThat(metric("webhook_dropped_total")).isEqualTo(1);
    assertThat(bodies).noneMatch(body -> body.contains("dropped"));
    assertThat(bodies.get(bodies.size() - 1)).contains("\"sequence\":4");
  }

  @Test
  void offer_eventInAFleet_isPostedOnlyByTheNodeThatFoundIt() {
    Webhook posting = open(receiver.address().getPort(), 1, 10);

    posting.offer(inFleet(event(true, "k"), false));
    posting.offer(inFleet(event(true, "k"), true));
    until(() -> metric("webhook_delivered_total") == 1);

    assertThat(bodies).hasSize(1);
    assertThat(bodies.get(0)).contains("\"fleet\":\"prod\"", "\"nodes\":3", "\"sequence\":1");
  }

  @ParameterizedTest
  @CsvSource({"404, given up after 1 attempt: HTTP status 404", "-1, after 1 attempt: timed out"})
  void offer_givenUp_isLoggedWithTheReasonAndWithoutTheUrl(int answer, String reason) {
    var lines = new ListAppender<ILoggingEvent>();
    Logger logger = (Logger) LoggerFactory.getLogger(Webhook.class);
    lines.start();
    logger.addAppender(lines);
    answers.add(answer);

    Webhook posting = open(receiver.address().getPort(), 1, 10, Duration.ofMillis(200));
    posting.offer(event(true, "lost"));
    until(() -> metric("webhook_failed_total") == 1);
    logger.detachAppender(lines);

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .asString()
        .contains(reason)
        .doesNotContain("hook?", "127.0.0.1");
  }

  @Test
  void offer_portClosed_dropsEventsBeyondTheQueueAndNeverWaits() throws IOException {
    int port;
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    Webhook posting = open(port, 20, 4);

    for (int i = 0; i < 1000; i++) {
      posting.offer(event(true, "key" + i));
    }

    assertThat(metric("webhook_dropped_total")).isGreaterThanOrEqualTo(900);
    assertThat(metric("webhook_waiting")).isLessThanOrEqualTo(4);
  }

  @Test
  void offer_nastyKey_isEscaped() {
    Webhook posting = open(receiver.address().getPort(), 1, 10);

    posting.offer(event(true, "<img>\u001b[31m\n\u202e"));
    until(() -> bodies.size() == 1);

    assertThat(bodies.get(0)).doesNotContain("<", "\u001b", "\n", "\u202e").contains("\\\\x1b");
  }

  private static HotEvent inFleet(HotEvent event, boolean first) {
    var fleet = new HotEvent.Fleet("prod", 3, first);
    return new HotEvent(event.hot(), event.scope(), event.key(), event.at(), fleet);
  }

  private Webhook open(int port, int attempts, int queue) {
    return open(port, attempts, queue, Duration.ofSeconds(4));
  }

  private Webhook open(int port, int attempts, int queue, Duration timeout) {
    var settings =
        new WebhookSettings(
            WebhookUrl.parse("http://127.0.0.1:" + port + "/hook?secret=1"),
            timeout,
            attempts,
            queue);
    Webhook opened =
        Webhook.start(
            settings,
            WebhookUrl.parse("http://127.0.0.1:" + port + "/hook?secret=1"),
            "node-1",
            metrics,
            Duration.ofMillis(1));
    webhook = opened;
    return opened;
  }

  private double metric(String name) {
    return metrics
        .scrape()
        .lines()
        .filter(line -> line.startsWith("heatshield_" + name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("condition not met in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Answers with the test's statuses, then with 204. */
  private CompletionStage<Response> take(Request request) {
    bodies.add(new String(request.body(), StandardCharsets.UTF_8));
    Integer answer = answers.poll();
    if (answer != null && answer == HANG) {
      return hanging;
    }
    return (answer == null ? Response.empty(204) : Response.text(answer, "")).completed();
  }

  private static HotEvent event(boolean hot, String key) {
    HotKeyDetector detector =
        HotKeyDetector.builder()
            .threshold(1)
            .window(Duration.ofSeconds(1))
            .secret(HashSecret.of(new byte[32]))
            .ticker(new FakeTicker()::nanos)
            .build();
    detector.touch(key);
    detector.touch(key);
    KeyReport report = detector.hot().get(0);
    return new HotEvent(hot, "shop", report, Instant.EPOCH);
  }
}
