package io.heatshield.rls.grpc;

import java.time.Duration;

/**
 * The bounds of the gRPC server.
 *
 * @param maxConnections open connections; further ones are closed and counted
 * @param maxCallsPerConnection calls in progress on one connection; a client delays further ones
 * @param maxMessageBytes the size of a request; more is RESOURCE_EXHAUSTED
 * @param maxMetadataBytes the metadata of a call; more is RESOURCE_EXHAUSTED, and more than {@link
 *     #MAX_WIRE_METADATA_BYTES} closes the connection
 * @param maxResets calls that a client may cancel within {@code resetWindow}; more closes its
 *     connection
 * @param resetWindow whole seconds
 * @param handshakeTimeout for the HTTP/2 preface of a new connection
 * @param keepAlive the time without data after which a client is pinged
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

  /** The most metadata that is read: HTTP/2 cannot skip the metadata of one call. */
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

  /** Returns the default bounds. */
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

  /** Returns these bounds with another maximum of connections. */
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
