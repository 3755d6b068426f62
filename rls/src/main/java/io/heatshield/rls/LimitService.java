package io.heatshield.rls;

import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.runtime.metrics.LatencyHistogram;
import io.heatshield.runtime.telemetry.TraceContext;
import io.heatshield.runtime.telemetry.Tracing;
import io.opentelemetry.api.trace.Span;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The rate-limit service behind the gRPC and HTTP servers: the limiter, its guard, and the counts
 * and latencies of its answers.
 *
 * <p>Any thread may call any method, event loops included: no method blocks.
 */
public final class LimitService {
  private final RuleLimiter limiter;
  private final HeaderNames headers;
  private final LongAdder ok = new LongAdder();
  private final LongAdder overLimit = new LongAdder();
  private final Map<LimitFailure.Kind, LongAdder> failures = new EnumMap<>(LimitFailure.Kind.class);
  private final LatencyHistogram latency = new LatencyHistogram();
  private volatile LimitGuard guard = LimitGuard.NONE;
  private volatile @Nullable Tracing tracing;

  /** Creates the service of a limiter. */
  public LimitService(RuleLimiter limiter, HeaderNames headers) {
    this.limiter = limiter;
    this.headers = headers;
    for (LimitFailure.Kind kind : LimitFailure.Kind.values()) {
      failures.put(kind, new LongAdder());
    }
  }

  /** Sets the guard that may refuse a request before the limiter; none by default. */
  public void guard(LimitGuard next) {
    guard = next;
  }

  /** Enables spans for calls; off by default. */
  public void trace(Tracing next) {
    tracing = next;
  }

  /** Returns whether calls may get spans, so that a port must pass their trace context. */
  public boolean isTraced() {
    return tracing != null;
  }

  /** Decides a request without a trace context. */
  public CompletionStage<LimitAnswer> ask(LimitRequest request) {
    return ask(request, null);
  }

  /**
   * Decides a request; the stage fails as the limiter does.
   *
   * @param from the trace context of the call; null if it is unknown or calls are not traced
   */
  public CompletionStage<LimitAnswer> ask(LimitRequest request, @Nullable TraceContext from) {
    Tracing spans = tracing;
    Span span = spans == null ? null : spans.limitCall(from, request.descriptors().size());
    if (spans == null || span == null) {
      return decide(request);
    }
    try {
      return decide(request)
          .whenComplete(
              (answer, failure) ->
                  spans.endLimitCall(span, answer == null ? null : answer.overLimit(), failure));
    } catch (RuntimeException e) {
      spans.endLimitCall(span, null, e);
      throw e;
    }
  }

  private CompletionStage<LimitAnswer> decide(LimitRequest request) {
    long start = System.nanoTime();
    LimitAnswer refused = guard.refusal(request, limiter);
    return (refused == null ? limiter.decide(request) : CompletableFuture.completedStage(refused))
        .whenComplete(
            (answer, failure) -> {
              latency.record(System.nanoTime() - start);
              if (failure == null) {
                (answer.overLimit() ? overLimit : ok).increment();
              }
            });
  }

  /** Counts a failure that was sent to a caller, and returns it. */
  public LimitFailure failed(LimitFailure failure) {
    counter(failure.kind()).increment();
    return failure;
  }

  /** Returns the names of the response headers. */
  public HeaderNames headers() {
    return headers;
  }

  public RuleLimiter limiter() {
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

  /** Returns the number of requests that failed. */
  public long failures() {
    return failures.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Returns the latencies of answers, inside the server. */
  public LatencyHistogram latency() {
    return latency;
  }

  private LongAdder counter(LimitFailure.Kind kind) {
    return Objects.requireNonNull(failures.get(kind));
  }
}
