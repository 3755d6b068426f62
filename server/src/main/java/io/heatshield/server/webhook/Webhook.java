package io.heatshield.server.webhook;

import io.heatshield.config.settings.WebhookSettings;
import io.heatshield.config.value.WebhookUrl;
import io.heatshield.insight.scope.HotEvent;
import io.heatshield.runtime.json.Json;
import io.heatshield.runtime.log.RareLog;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.time.Ticker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;

/**
 * Posts the events of hot keys to one URL, in order, from a single thread.
 *
 * <p>Events are numbered from 1 in the order of their arrival; a body contains this number and the
 * name of this process. A number that the receiver misses was dropped, failed, or is the {@code
 * cool} event of a key whose {@code hot} event failed. The {@code cool} event of a key is skipped
 * if its {@code hot} event was not delivered. Of the events of a fleet, a node posts those of the
 * views that it merged.
 *
 * <p>{@link #offer} never blocks: an event is dropped and counted if the queue is full. An attempt
 * that fails, times out or gets 408, 429 or 5xx is retried after a doubling pause, up to {@code
 * attempts} times; any other status except 2xx fails immediately. Redirects are not followed. There
 * is at most one attempt at a time.
 */
public final class Webhook {
  private static final Duration INITIAL_PAUSE = Duration.ofMillis(500);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  private record NumberedEvent(HotEvent event, long sequence) {}

  private final WebhookSettings settings;
  private final URI address;
  private final String sender;
  private final Duration firstPause;
  private final BlockingQueue<NumberedEvent> queue;
  private final HttpClient client;
  private final Thread thread = new Thread(this::run, "webhook");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final RareLog log;
  private final UndeliveredKeys droppedHot = new UndeliveredKeys();
  private final UndeliveredKeys failedHot = new UndeliveredKeys();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder unpaired = new LongAdder();
  private long sequence;

  private Webhook(WebhookSettings settings, WebhookUrl url, String sender, Duration firstPause) {
    this.settings = settings;
    this.address = url.uri();
    this.sender = sender;
    this.firstPause = firstPause;
    this.queue = new ArrayBlockingQueue<>(settings.queue());
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.log = new RareLog(LoggerFactory.getLogger(Webhook.class), Ticker.system());
  }

  /**
   * Starts a webhook.
   *
   * @param sender the unique name of this process
   */
  public static Webhook start(
      WebhookSettings settings, WebhookUrl url, String sender, Metrics metrics) {
    return start(settings, url, sender, metrics, INITIAL_PAUSE);
  }

  static Webhook start(
      WebhookSettings settings,
      WebhookUrl url,
      String sender,
      Metrics metrics,
      Duration firstPause) {
    var webhook = new Webhook(settings, url, sender, firstPause);
    metrics.counter("webhook.delivered", "Hot-key events delivered", webhook.delivered::sum);
    metrics.counter("webhook.retries", "Webhook attempts that were retries", webhook.retried::sum);
    metrics.counter(
        "webhook.failed", "Hot-key events that failed after all attempts", webhook.failed::sum);
    metrics.counter(
        "webhook.dropped",
        "Hot-key events dropped because the queue was full",
        webhook.dropped::sum);
    metrics.counter(
        "webhook.unpaired",
        "Cool events skipped because the hot event was not delivered",
        webhook.unpaired::sum);
    metrics.gauge("webhook.waiting", "Hot-key events in the queue", webhook.queue::size);
    webhook.thread.setDaemon(true);
    webhook.thread.start();
    return webhook;
  }

  /** Queues an event, or drops it if the queue is full. Never blocks. */
  public synchronized void offer(HotEvent event) {
    HotEvent.Fleet fleet = event.fleet();
    if (fleet != null && !fleet.first()) {
      return;
    }
    if (droppedHot.remove(event) && !event.hot()) {
      unpaired.increment();
      return;
    }
    sequence++;
    if (!queue.offer(new NumberedEvent(event, sequence))) {
      dropped.increment();
      if (event.hot()) {
        droppedHot.add(event);
      }
      log.warn("webhook event dropped: the queue of " + settings.queue() + " is full");
    }
  }

  /** Stops without posting the queued events. */
  public void stop(Duration deadline) {
    stopped.countDown();
    thread.interrupt();
    try {
      thread.join(Math.max(1, deadline.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (stopped.getCount() > 0) {
        postSafely(queue.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Posts an event; an exception fails this event only. */
  private void postSafely(NumberedEvent next) throws InterruptedException {
    try {
      post(next);
    } catch (RuntimeException e) {
      failed(next.event);
      // Its message may contain the URL, which is a secret.
      log.warn("webhook event could not be posted: " + e.getClass().getSimpleName());
    }
  }

  private void failed(HotEvent event) {
    failed.increment();
    if (event.hot()) {
      failedHot.add(event);
    }
  }

  private void post(NumberedEvent next) throws InterruptedException {
    if (failedHot.remove(next.event) && !next.event.hot()) {
      unpaired.increment();
      return;
    }
    var fields = new LinkedHashMap<>(next.event.fields());
    fields.put("sender", sender);
    fields.put("sequence", next.sequence);
    byte[] body = Json.write(fields).getBytes(StandardCharsets.UTF_8);
    long pause = firstPause.toNanos();
    for (int attempt = 1; ; attempt++) {
      Outcome outcome = attempt(body);
      if (outcome.delivered) {
        delivered.increment();
        return;
      }
      if (!outcome.retry || attempt >= settings.attempts()) {
        failed(next.event);
        String attempts = attempt == 1 ? "1 attempt" : attempt + " attempts";
        log.warn("webhook event given up after " + attempts + ": " + outcome.reason);
        return;
      }
      retried.increment();
      // Up to a quarter of random jitter, so that many servers do not retry together.
      long jitter = ThreadLocalRandom.current().nextLong(pause / 4 + 1);
      if (stopped.await(pause + jitter, TimeUnit.NANOSECONDS)) {
        return;
      }
      pause = Math.min(2 * pause, MAX_PAUSE.toNanos());
    }
  }

  private Outcome attempt(byte[] body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .timeout(settings.timeout())
            .header("Content-Type", "application/json")
            .header("User-Agent", "heatshield")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    // The request's own timeout covers only the response head, not a slow body.
    CompletableFuture<HttpResponse<Void>> response =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      return Outcome.of(
          response.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS).statusCode());
    } catch (ExecutionException e) {
      return Outcome.noResponse(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      response.cancel(true);
      return Outcome.noResponse(e);
    }
  }

  /** The outcome of one attempt. The reason never contains the URL, which is a secret. */
  private record Outcome(boolean delivered, boolean retry, String reason) {
    static Outcome of(int status) {
      boolean retry = status / 100 == 5 || status == 429 || status == 408;
      return new Outcome(status / 100 == 2, retry, "HTTP status " + status);
    }

    static Outcome noResponse(Throwable cause) {
      boolean timedOut = cause instanceof TimeoutException || cause instanceof HttpTimeoutException;
      String reason = timedOut ? "timed out" : "no response, " + cause.getClass().getSimpleName();
      return new Outcome(false, true, reason);
    }
  }
}
