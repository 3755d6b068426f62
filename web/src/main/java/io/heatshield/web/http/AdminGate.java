package io.heatshield.web.http;

import io.heatshield.runtime.secret.AdminToken;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of calls that lack the admin token; a wrong token is answered late.
 *
 * <p>The delay makes guessing slow without remembering who guesses. At most {@value #MAX_WAITING}
 * refusals wait at a time; past that a wrong token is answered 429 at once, so that guessers cannot
 * pile up memory. The right token always passes: guessers cannot lock its holder out.
 */
final class AdminGate {
  static final int MAX_WAITING = 64;
  static final Duration DELAY = Duration.ofMillis(500);

  private final AdminToken token;
  private final HttpCounters counters;
  private final AtomicInteger waiting = new AtomicInteger();

  AdminGate(AdminToken token, HttpCounters counters) {
    this.token = token;
    this.counters = counters;
  }

  /** Returns null if the caller may pass, or else the answer to give instead. */
  @Nullable CompletionStage<Response> refusal(@Nullable String authorization, Delayer delayer) {
    AdminToken.Verdict verdict = token.check(authorization);
    if (verdict == AdminToken.Verdict.ACCEPTED) {
      return null;
    }
    counters.adminRefused();
    return switch (verdict) {
      case MISSING ->
          Response.problem(401, "this call needs the admin token")
              .withHeader("WWW-Authenticate", "Bearer realm=\"heatshield\"")
              .now();
      case NONE_SET ->
          Response.problem(403, "no admin token is in force: set server.admin_token_file").now();
      default -> late(delayer);
    };
  }

  private CompletionStage<Response> late(Delayer delayer) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return Response.problem(429, "too many calls with a wrong admin token")
          .withHeader("Retry-After", "1")
          .now();
    }
    var answer = new CompletableFuture<Response>();
    delayer.after(
        DELAY,
        () -> {
          waiting.decrementAndGet();
          answer.complete(Response.problem(403, "the admin token is wrong"));
        });
    return answer;
  }

  /** Runs something later; the event loop of the connection in a running door. */
  @FunctionalInterface
  interface Delayer {
    void after(Duration delay, Runnable task);
  }
}
