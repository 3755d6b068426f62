package io.heatshield.runtime.telemetry;

import org.jspecify.annotations.Nullable;

/**
 * The protocol of a call and its W3C trace context.
 *
 * @param protocol {@code grpc} or {@code http}
 * @param parent the value of {@code traceparent}, or null
 * @param state the value of {@code tracestate}, or null
 */
public record TraceContext(String protocol, @Nullable String parent, @Nullable String state) {
  /** The name of the header with the parent span. */
  public static final String PARENT = "traceparent";

  /** The name of the header with vendor data. */
  public static final String STATE = "tracestate";
}
