package io.heatshield.rls.grpc;

import io.heatshield.runtime.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/** The counters of the gRPC server. Any thread may call any method. */
public final class GrpcCounters {
  private final LongAdder connections = new LongAdder();
  private final LongAdder rejectedConnections = new LongAdder();

  /** Returns the number of open connections. */
  public long connections() {
    return connections.sum();
  }

  /** Returns the number of connections that were refused because too many were open. */
  public long rejectedConnections() {
    return rejectedConnections.sum();
  }

  /** Registers the counters as meters. */
  public void bind(Metrics metrics) {
    metrics.gauge("grpc.connections", "Open connections of the gRPC port", this::connections);
    metrics.counter(
        "grpc.connections.rejected",
        "Connections that the gRPC port rejected because it was full",
        this::rejectedConnections);
  }

  void opened() {
    connections.increment();
  }

  void closed() {
    connections.decrement();
  }

  void rejected() {
    rejectedConnections.increment();
  }
}
