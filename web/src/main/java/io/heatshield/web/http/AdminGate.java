package io.heatshield.web.http;

import io.heatshield.runtime.secret.AdminToken;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Checks the admin token and delays the response to a wrong one.
 *
 * <p>The delay slows down guessing without state per client. At most {@value #MAX_WAITING} refusals
 * are delayed at a time; beyond that a wrong token gets 429 immediately, which bounds the memory
 * that guessing can take. The correct token always passes, so guessing cannot lock out its holder.
 */
final class AdminGate {
  static final int MAX_WAITING = 64;
  static final Duration DELAY = Duration.ofMillis(500);

  private final AdminToken token;
  private final HttpMeters meters;
  private final AtomicInteger waiting = new AtomicInteger();

  AdminGate(AdminToken token, HttpMeters meters) {
    this.token = token;
    this.meters = meters;
  }

  /** Returns null if the token is correct, otherwise the refusal. */
  @Nullable CompletionStage<Response> refusal(@Nullable String authorization, Delayer delayer) {
    AdminToken.Verdict verdict = token.check(authorization);
    if (verdict == AdminToken.Verdict.ACCEPTED) {
      return null;
    }
    meters.adminRefusals.increment();
    return switch (verdict) {
      case MISSING ->
          Response.problem(401, "this call needs the admin token")
              .withHeader("WWW-Authenticate", "Bearer realm=\"heatshield\"")
              .completed();
      case NONE_SET ->
          Response.problem(403, "no admin token is configured: set server.admin_token_file")
              .completed();
      default -> delayed(delayer);
    };
  }

  private CompletionStage<Response> delayed(Delayer delayer) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return Response.problem(429, "too many calls with a wrong admin token")
          .withHeader("Retry-After", "1")
          .completed();
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

  /** Runs a task after a delay. */
  @FunctionalInterface
  interface Delayer {
    void after(Duration delay, Runnable task);
  }
}
