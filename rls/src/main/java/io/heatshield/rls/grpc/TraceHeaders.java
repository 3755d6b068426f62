package io.heatshield.rls.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.heatshield.runtime.telemetry.TraceContext;

/** Stores the W3C trace context of a call's metadata in the gRPC context of the call. */
final class TraceHeaders implements ServerInterceptor {
  /** The trace context of the call that the current thread handles. */
  static final Context.Key<TraceContext> FROM = Context.key("trace-context");

  private static final Metadata.Key<String> PARENT =
      Metadata.Key.of(TraceContext.PARENT, Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> STATE =
      Metadata.Key.of(TraceContext.STATE, Metadata.ASCII_STRING_MARSHALLER);

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    var from = new TraceContext("grpc", headers.get(PARENT), headers.get(STATE));
    return Contexts.interceptCall(Context.current().withValue(FROM, from), call, headers, next);
  }
}
