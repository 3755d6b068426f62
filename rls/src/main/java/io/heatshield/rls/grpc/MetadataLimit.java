package io.heatshield.rls.grpc;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Refuses calls with too much metadata, without closing their connection.
 *
 * <p>The limit of gRPC itself closes the whole connection, with all other calls on it.
 */
final class MetadataLimit implements ServerInterceptor {
  private final int maxBytes;

  MetadataLimit(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    long bytes = 0;
    for (byte[] nameOrValue : InternalMetadata.serialize(headers)) {
      bytes += nameOrValue.length;
    }
    if (bytes <= maxBytes) {
      return next.startCall(call, headers);
    }
    call.close(
        Status.RESOURCE_EXHAUSTED.withDescription(
            "metadata must be at most " + maxBytes + " bytes: " + bytes),
        new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
