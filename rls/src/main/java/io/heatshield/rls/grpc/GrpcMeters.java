package io.heatshield.rls.grpc;

import io.heatshield.runtime.metrics.Metrics;

/** The meters of the gRPC door. */
public final class GrpcMeters {
  private GrpcMeters() {}

  /** Registers the meters. */
  public static void bind(GrpcCounters counters, Metrics metrics) {
    metrics.gauge("grpc.connections", "Open connections of the gRPC door", counters::connections);
    metrics.counter(
        "grpc.connections.rejected",
        "Connections that the gRPC door refused because it was full",
        counters::rejectedConnections);
  }
}
