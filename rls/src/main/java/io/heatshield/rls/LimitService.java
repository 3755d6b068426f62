package io.heatshield.rls;

import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.limiter.RateLimiter;
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
  private volatile @Nullable Tracing tracing;

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

  /** Makes spans of calls from now on; none by default. */
  public void trace(Tracing next) {
    tracing = next;
  }

  /** Returns whether calls may get spans, so that a port has to pass on where they came from. */
  public boolean isTraced() {
    return tracing != null;
  }

  /** Returns the verdict on a question, or the promise of one; it fails as the limiter fails. */
  public CompletionStage<LimitAnswer> ask(LimitRequest question) {
    return ask(question, null);
  }

  /**
   * Returns the verdict on a question, or the promise of one; it fails as the limiter fails.
   *
   * @param from where the call came in; null if it is not known or calls are not traced
   */
  public CompletionStage<LimitAnswer> ask(LimitRequest question, @Nullable TraceContext from) {
    Tracing spans = tracing;
    Span span = spans == null ? null : spans.limitCall(from, question.descriptors().size());
    if (spans == null || span == null) {
      return decide(question);
    }
    try {
      return decide(question)
          .whenComplete(
              (answer, failure) ->
                  spans.endLimitCall(span, answer == null ? null : answer.overLimit(), failure));
    } catch (RuntimeException e) {
      spans.endLimitCall(span, null, e);
      throw e;
    }
  }

  private CompletionStage<LimitAnswer> decide(LimitRequest question) {
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

  /** Returns the questions that got no verdict. */
  public long failures() {
    return failures.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Returns how long verdicts took, inside the server. */
  public LatencyHistogram latency() {
    return latency;
  }

  private LongAdder counter(LimitFailure.Kind kind) {
    return Objects.requireNonNull(failures.get(kind));
  }
}
