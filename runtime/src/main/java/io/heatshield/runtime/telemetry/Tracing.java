package io.heatshield.runtime.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Creates the spans of rate-limit calls and of shield commands. Thread-safe.
 *
 * <p>A call without a parent is sampled here, by a random number, before anything is allocated; a
 * call with a parent is sampled like its parent. No attribute has a key or other text of a caller;
 * names of commands are those that the upstream describes.
 */
public final class Tracing {
  private static final String RATE_LIMIT = "ShouldRateLimit";
  private static final TextMapGetter<TraceContext> HEADERS = new Headers();

  private final Tracer tracer;
  private final double ratio;

  Tracing(Tracer tracer, double ratio) {
    this.tracer = tracer;
    this.ratio = ratio;
  }

  /** Begins the span of a rate-limit call, or returns null if it is not sampled. */
  public @Nullable Span limitCall(@Nullable TraceContext from, int descriptors) {
    Context parent =
        from == null || from.parent() == null
            ? Context.root()
            : W3CTraceContextPropagator.getInstance().extract(Context.root(), from, HEADERS);
    if (!Span.fromContext(parent).getSpanContext().isValid() && !isSampled()) {
      return null;
    }
    SpanBuilder span =
        tracer
            .spanBuilder(RATE_LIMIT)
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("heatshield.descriptors", descriptors);
    if (from != null) {
      span.setAttribute("heatshield.protocol", from.protocol());
    }
    return span.startSpan();
  }

  /** Ends the span of a rate-limit call. */
  public void endLimitCall(Span span, @Nullable Boolean overLimit, @Nullable Throwable failure) {
    if (overLimit != null) {
      span.setAttribute("heatshield.over_limit", overLimit);
    }
    if (failure != null) {
      span.setStatus(StatusCode.ERROR, failure.getClass().getSimpleName());
    }
    span.end();
  }

  /**
   * Begins the span of a command, which is a root, or returns null if it is not sampled.
   *
   * @param command its name as the upstream describes it
   */
  public @Nullable Span command(String command) {
    if (!isSampled()) {
      return null;
    }
    return tracer
        .spanBuilder(command)
        .setNoParent()
        .setSpanKind(SpanKind.SERVER)
        .setAttribute("db.system.name", "redis")
        .setAttribute("db.operation.name", command)
        .startSpan();
  }

  /**
   * Ends the span of a command.
   *
   * @param answeredBy {@code upstream}, {@code memory} or {@code throttle}
   * @param done whether it was answered without an error
   */
  public void endCommand(Span span, String answeredBy, boolean done) {
    span.setAttribute("heatshield.answered_by", answeredBy);
    if (!done) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  private boolean isSampled() {
    return ratio > 0 && ThreadLocalRandom.current().nextDouble() < ratio;
  }

  private static final class Headers implements TextMapGetter<TraceContext> {
    @Override
    public Iterable<String> keys(TraceContext carrier) {
      return List.of(TraceContext.PARENT, TraceContext.STATE);
    }

    @Override
    public @Nullable String get(@Nullable TraceContext carrier, String key) {
      if (carrier == null) {
        return null;
      }
      return switch (key) {
        case TraceContext.PARENT -> carrier.parent();
        case TraceContext.STATE -> carrier.state();
        default -> null;
      };
    }
  }
}
