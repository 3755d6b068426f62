package io.heatshield.rls.grpc;

import java.time.Duration;

/**
 * The bounds of the gRPC door; what goes past one is refused.
 *
 * @param maxConnections open connections; one more is closed at once, and counted
 * @param maxCallsPerConnection calls in progress on one connection; a client waits with the next
 * @param maxMessageBytes a request; more is RESOURCE_EXHAUSTED
 * @param maxMetadataBytes all metadata of a call; more is RESOURCE_EXHAUSTED, and more than {@link
 *     #MAX_WIRE_METADATA_BYTES} ends the connection
 * @param maxResets calls that a client may give up within {@code resetWindow}; more ends its
 *     connection
 * @param resetWindow whole seconds
 * @param handshakeTimeout for a new connection to begin to speak HTTP/2
 * @param keepAlive after how much silence a client has to answer a ping; one that does not is gone
 */
public record GrpcLimits(
    int maxConnections,
    int maxCallsPerConnection,
    int maxMessageBytes,
    int maxMetadataBytes,
    int maxResets,
    Duration resetWindow,
    Duration handshakeTimeout,
    Duration keepAlive) {

  /** The most metadata that is read at all: HTTP/2 cannot skip the metadata of one call. */
  static final int MAX_WIRE_METADATA_BYTES = 256 << 10;

  /** Checks that every bound is above zero. */
  public GrpcLimits {
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxCallsPerConnection", maxCallsPerConnection);
    requirePositive("maxMessageBytes", maxMessageBytes);
    requirePositive("maxMetadataBytes", maxMetadataBytes);
    requirePositive("maxResets", maxResets);
    requirePositive("resetWindow", resetWindow.toSeconds());
    requirePositive("handshakeTimeout", handshakeTimeout.toNanos());
    requirePositive("keepAlive", keepAlive.toNanos());
  }

  /** Returns the bounds of a door that nobody configured. */
  public static GrpcLimits defaults() {
    return new GrpcLimits(
        10_000,
        1000,
        256 << 10,
        8 << 10,
        10_000,
        Duration.ofSeconds(10),
        Duration.ofSeconds(20),
        Duration.ofMinutes(5));
  }

  /** Returns these bounds with another cap on connections. */
  public GrpcLimits withMaxConnections(int connections) {
    return new GrpcLimits(
        connections,
        maxCallsPerConnection,
        maxMessageBytes,
        maxMetadataBytes,
        maxResets,
        resetWindow,
        handshakeTimeout,
        keepAlive);
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be above zero: " + value);
    }
  }
}
