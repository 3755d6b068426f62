package io.heatshield.rls.grpc;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the gRPC door did: counts of effects, read by the metrics.
 *
 * <p>Any thread may read or raise them.
 */
public final class GrpcCounters {
  private final LongAdder connections = new LongAdder();
  private final LongAdder rejectedConnections = new LongAdder();

  /** Creates counters that stand at zero. */
  public GrpcCounters() {}

  /** Returns the connections open now. */
  public long connections() {
    return connections.sum();
  }

  /** Returns the connections refused because as many as allowed were open. */
  public long rejectedConnections() {
    return rejectedConnections.sum();
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
