package io.heatshield.server;

import io.heatshield.server.grpc.GrpcCounters;
import io.heatshield.server.metrics.Metrics;

/** The meters of the gRPC door. */
final class GrpcMeters {
  private GrpcMeters() {}

  static void bind(GrpcCounters counters, Metrics metrics) {
    metrics.gauge("grpc.connections", "Open connections of the gRPC door", counters::connections);
    metrics.counter(
        "grpc.connections.rejected",
        "Connections that the gRPC door refused because it was full",
        counters::rejectedConnections);
  }
}
