package io.heatshield.server.webhook;

import io.heatshield.server.config.WebhookSettings;
import io.heatshield.server.config.WebhookUrl;
import io.heatshield.server.http.Json;
import io.heatshield.server.log.RareLog;
import io.heatshield.server.metrics.Metrics;
import io.heatshield.server.scope.HotEvent;
import io.heatshield.time.Ticker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
 * Posts every turn of a key to one address, in order, by a thread of its own.
 *
 * <p>{@link #offer} never waits: a turn that finds the queue full is dropped and counted. An
 * attempt that fails, times out or is answered 408, 429 or 5xx is made again after a pause that
 * doubles, up to {@code attempts} times; any other answer than 2xx ends it at once. A redirect is
 * not followed. At most one attempt is under way.
 */
public final class Webhook {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final WebhookSettings settings;
  private final URI address;
  private final Duration firstPause;
  private final BlockingQueue<HotEvent> waiting;
  private final HttpClient client;
  private final Thread thread = new Thread(this::run, "webhook");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final RareLog log;
  private final LongAdder delivered = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder dropped = new LongAdder();

  private Webhook(WebhookSettings settings, WebhookUrl url, Duration firstPause) {
    this.settings = settings;
    this.address = url.uri();
    this.firstPause = firstPause;
    this.waiting = new ArrayBlockingQueue<>(settings.queue());
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.log = new RareLog(LoggerFactory.getLogger(Webhook.class), Ticker.system());
  }

  /** Starts to post to an address. */
  public static Webhook start(WebhookSettings settings, WebhookUrl url, Metrics metrics) {
    return start(settings, url, metrics, FIRST_PAUSE);
  }

  static Webhook start(
      WebhookSettings settings, WebhookUrl url, Metrics metrics, Duration firstPause) {
    var webhook = new Webhook(settings, url, firstPause);
    metrics.counter("webhook.delivered", "Turns of keys that were posted", webhook.delivered::sum);
    metrics.counter("webhook.retries", "Attempts that were made again", webhook.retried::sum);
    metrics.counter(
        "webhook.failed",
        "Turns of keys that were given up after all attempts",
        webhook.failed::sum);
    metrics.counter(
        "webhook.dropped", "Turns of keys that found the queue full", webhook.dropped::sum);
    metrics.gauge("webhook.waiting", "Turns of keys that wait", webhook.waiting::size);
    webhook.thread.setDaemon(true);
    webhook.thread.start();
    return webhook;
  }

  /** Takes a turn to be posted, or drops it; never waits. */
  public void offer(HotEvent event) {
    if (!waiting.offer(event)) {
      dropped.increment();
      log.warn("a webhook was dropped: too many wait");
    }
  }

  /** Ends; what was not posted yet is not. */
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
        survive(waiting.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Posts an event; one that cannot be posted at all is given up, and the next ones are not. */
  private void survive(HotEvent event) throws InterruptedException {
    try {
      post(event);
    } catch (RuntimeException e) {
      failed.increment();
      // Its text may have the address in it, which is a secret.
      log.warn("a webhook could not be posted: " + e.getClass().getSimpleName());
    }
  }

  private void post(HotEvent event) throws InterruptedException {
    byte[] body = Json.write(event.fields()).getBytes(StandardCharsets.UTF_8);
    long pause = firstPause.toNanos();
    for (int attempt = 1; ; attempt++) {
      Outcome outcome = attempt(body);
      if (outcome == Outcome.DELIVERED) {
        delivered.increment();
        return;
      }
      if (outcome == Outcome.REFUSED || attempt >= settings.attempts()) {
        failed.increment();
        log.warn("a webhook was given up after " + attempt + " attempts");
        return;
      }
      retried.increment();
      // Up to a quarter more by chance, so that many servers do not come back at once.
      long jitter = ThreadLocalRandom.current().nextLong(pause / 4 + 1);
      if (stopped.await(pause + jitter, TimeUnit.NANOSECONDS)) {
        return;
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
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
    // Its own timeout ends with the head of an answer; a body that dribbles must end too.
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      return Outcome.of(
          answer.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS).statusCode());
    } catch (ExecutionException e) {
      return Outcome.TRY_AGAIN;
    } catch (TimeoutException e) {
      answer.cancel(true);
      return Outcome.TRY_AGAIN;
    }
  }

  /** What came of one attempt. */
  private enum Outcome {
    DELIVERED,
    TRY_AGAIN,
    REFUSED;

    static Outcome of(int status) {
      if (status / 100 == 2) {
        return DELIVERED;
      }
      return status / 100 == 5 || status == 429 || status == 408 ? TRY_AGAIN : REFUSED;
    }
  }
}
