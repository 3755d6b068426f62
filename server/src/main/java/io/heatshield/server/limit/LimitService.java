package io.heatshield.server.limit;

import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.RateLimiter;
import io.heatshield.server.metrics.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * What both doors ask: the limiter, with the counts and times of its answers.
 *
 * <p>Any thread may ask, an event loop among them: nothing here waits.
 */
public final class LimitService {
  private final RateLimiter limiter;
  private final HeaderNames headers;
  private final LongAdder ok = new LongAdder();
  private final LongAdder overLimit = new LongAdder();
  private final Map<LimitFailure.Kind, LongAdder> failures = new EnumMap<>(LimitFailure.Kind.class);
  private final LatencyHistogram latency = new LatencyHistogram();
  private volatile LimitGuard guard = LimitGuard.NONE;

  /** Creates the service of a limiter. */
  public LimitService(RateLimiter limiter, HeaderNames headers) {
    this.limiter = limiter;
    this.headers = headers;
    for (LimitFailure.Kind kind : LimitFailure.Kind.values()) {
      failures.put(kind, new LongAdder());
    }
  }

  /** Sets who may refuse a question before the limiter is asked; nobody by default. */
  public void guard(LimitGuard next) {
    guard = next;
  }

  /** Returns the verdict on a question, or the promise of one; it fails as the limiter fails. */
  public CompletionStage<LimitAnswer> ask(LimitRequest question) {
    long start = System.nanoTime();
    LimitAnswer refused = guard.refusal(question, limiter);
    return (refused == null ? limiter.decide(question) : CompletableFuture.completedStage(refused))
        .whenComplete(
            (answer, failure) -> {
              latency.record(System.nanoTime() - start);
              if (failure == null) {
                (answer.overLimit() ? overLimit : ok).increment();
              }
            });
  }

  /** Counts a failure that a door told its caller, and returns it. */
  public LimitFailure failed(LimitFailure failure) {
    counter(failure.kind()).increment();
    return failure;
  }

  /** Returns the names of the headers that an answer's numbers go under. */
  public HeaderNames headers() {
    return headers;
  }

  /** Returns the limiter. */
  public RateLimiter limiter() {
    return limiter;
  }

  long okAnswers() {
    return ok.sum();
  }

  long overLimitAnswers() {
    return overLimit.sum();
  }

  long failures(LimitFailure.Kind kind) {
    return counter(kind).sum();
  }

  LatencyHistogram latency() {
    return latency;
  }

  private LongAdder counter(LimitFailure.Kind kind) {
    return Objects.requireNonNull(failures.get(kind));
  }
}
