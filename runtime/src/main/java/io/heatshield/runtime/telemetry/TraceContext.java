package io.heatshield.runtime.telemetry;

import org.jspecify.annotations.Nullable;

/**
 * Where a call came in, and the W3C trace context that it brought.
 *
 * @param protocol what was spoken, {@code grpc} or {@code http}
 * @param parent the value of {@code traceparent}, or null
 * @param state the value of {@code tracestate}, or null
 */
public record TraceContext(String protocol, @Nullable String parent, @Nullable String state) {
  /** The name of the header that names the parent. */
  public static final String PARENT = "traceparent";

  /** The name of the header with what vendors add. */
  public static final String STATE = "tracestate";
}
