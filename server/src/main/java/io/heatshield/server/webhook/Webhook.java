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
 * Posts every turn of a key to one address, in order, by a thread of its own.
 *
 * <p>Turns are numbered in the order in which they came, from 1; a body has its number and the name
 * of this process. A number that a receiver lacks was dropped, given up, or the {@code cool} of a
 * key whose {@code hot} was given up. The {@code cool} of a key whose {@code hot} was not posted is
 * not posted either. Of the turns in a fleet only those are posted that this process found first.
 *
 * <p>{@link #offer} never waits: a turn that finds the queue full is dropped and counted. An
 * attempt that fails, times out or is answered 408, 429 or 5xx is made again after a pause that
 * doubles, up to {@code attempts} times; any other answer than 2xx ends it at once. A redirect is
 * not followed. At most one attempt is under way.
 */
public final class Webhook {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** A turn of a key, and its number. */
  private record Numbered(HotEvent event, long sequence) {}

  private final WebhookSettings settings;
  private final URI address;
  private final String sender;
  private final Duration firstPause;
  private final BlockingQueue<Numbered> waiting;
  private final HttpClient client;
  private final Thread thread = new Thread(this::run, "webhook");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final RareLog log;
  private final LostTurns droppedHot = new LostTurns();
  private final LostTurns failedHot = new LostTurns();
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
    this.waiting = new ArrayBlockingQueue<>(settings.queue());
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.log = new RareLog(LoggerFactory.getLogger(Webhook.class), Ticker.system());
  }

  /**
   * Starts to post to an address.
   *
   * @param sender the name of this process, which no other has or had
   */
  public static Webhook start(
      WebhookSettings settings, WebhookUrl url, String sender, Metrics metrics) {
    return start(settings, url, sender, metrics, FIRST_PAUSE);
  }

  static Webhook start(
      WebhookSettings settings,
      WebhookUrl url,
      String sender,
      Metrics metrics,
      Duration firstPause) {
    var webhook = new Webhook(settings, url, sender, firstPause);
    metrics.counter("webhook.delivered", "Turns of keys that were posted", webhook.delivered::sum);
    metrics.counter("webhook.retries", "Attempts that were made again", webhook.retried::sum);
    metrics.counter(
        "webhook.failed",
        "Turns of keys that were given up after all attempts",
        webhook.failed::sum);
    metrics.counter(
        "webhook.dropped", "Turns of keys that found the queue full", webhook.dropped::sum);
    metrics.counter(
        "webhook.unpaired",
        "Keys that cooled and were not posted, because that they were hot was not",
        webhook.unpaired::sum);
    metrics.gauge("webhook.waiting", "Turns of keys that wait", webhook.waiting::size);
    webhook.thread.setDaemon(true);
    webhook.thread.start();
    return webhook;
  }

  /** Takes a turn to be posted, or drops it; never waits. */
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
    if (!waiting.offer(new Numbered(event, sequence))) {
      dropped.increment();
      if (event.hot()) {
        droppedHot.add(event);
      }
      log.warn("a webhook was dropped: " + settings.queue() + " wait already");
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
  private void survive(Numbered turn) throws InterruptedException {
    try {
      post(turn);
    } catch (RuntimeException e) {
      failed(turn.event);
      // Its text may have the address in it, which is a secret.
      log.warn("a webhook could not be posted: " + e.getClass().getSimpleName());
    }
  }

  private void failed(HotEvent event) {
    failed.increment();
    if (event.hot()) {
      failedHot.add(event);
    }
  }

  private void post(Numbered turn) throws InterruptedException {
    if (failedHot.remove(turn.event) && !turn.event.hot()) {
      unpaired.increment();
      return;
    }
    var fields = new LinkedHashMap<>(turn.event.fields());
    fields.put("sender", sender);
    fields.put("sequence", turn.sequence);
    byte[] body = Json.write(fields).getBytes(StandardCharsets.UTF_8);
    long pause = firstPause.toNanos();
    for (int attempt = 1; ; attempt++) {
      Outcome outcome = attempt(body);
      if (outcome.delivered) {
        delivered.increment();
        return;
      }
      if (!outcome.tryAgain || attempt >= settings.attempts()) {
        failed(turn.event);
        String attempts = attempt == 1 ? "1 attempt" : attempt + " attempts";
        log.warn("a webhook was given up after " + attempts + ": " + outcome.reason);
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
      return Outcome.noAnswer(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      answer.cancel(true);
      return Outcome.noAnswer(e);
    }
  }

  /** What came of one attempt; the reason never has the address in it, which is a secret. */
  private record Outcome(boolean delivered, boolean tryAgain, String reason) {
    static Outcome of(int status) {
      boolean tryAgain = status / 100 == 5 || status == 429 || status == 408;
      return new Outcome(status / 100 == 2, tryAgain, "HTTP status " + status);
    }

    static Outcome noAnswer(Throwable cause) {
      boolean timedOut = cause instanceof TimeoutException || cause instanceof HttpTimeoutException;
      String reason = timedOut ? "timed out" : "no answer, " + cause.getClass().getSimpleName();
      return new Outcome(false, true, reason);
    }
  }
}
