package io.heatshield.web.http;

import java.time.Duration;

/**
 * The bounds of the HTTP door; what goes past one is refused, and counted.
 *
 * @param maxConnections open connections; one more is answered 503 and closed
 * @param maxLineBytes the request line; longer is 414
 * @param maxHeaderBytes all header lines of a request; more is 431
 * @param maxBodyBytes a request's body; more is 413
 * @param headerTimeout from the first byte of a request, or from the connection's start, to the end
 *     of its headers; later is 408
 * @param bodyTimeout from the end of the headers to the end of the body; later is 408
 * @param idleTimeout between two requests of a connection; then it is closed
 * @param handlerTimeout for a handler's answer; later is 503
 * @param writeTimeout for a client to take a response; then the connection is closed
 * @param lingerTimeout for a client to read the last response before the connection is closed
 * @param maxStreams open event streams; one more is answered 503
 * @param streamBufferBytes what an event stream may owe to a slow reader before it is dropped
 * @param heartbeat the pause between two signs of life on an event stream
 */
public record HttpLimits(
    int maxConnections,
    int maxLineBytes,
    int maxHeaderBytes,
    int maxBodyBytes,
    Duration headerTimeout,
    Duration bodyTimeout,
    Duration idleTimeout,
    Duration handlerTimeout,
    Duration writeTimeout,
    Duration lingerTimeout,
    int maxStreams,
    int streamBufferBytes,
    Duration heartbeat) {

  /** Checks that every bound is above zero. */
  public HttpLimits {
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxLineBytes", maxLineBytes);
    requirePositive("maxHeaderBytes", maxHeaderBytes);
    requirePositive("maxBodyBytes", maxBodyBytes);
    requirePositive("headerTimeout", headerTimeout.toNanos());
    requirePositive("bodyTimeout", bodyTimeout.toNanos());
    requirePositive("idleTimeout", idleTimeout.toNanos());
    requirePositive("handlerTimeout", handlerTimeout.toNanos());
    requirePositive("writeTimeout", writeTimeout.toNanos());
    requirePositive("lingerTimeout", lingerTimeout.toNanos());
    requirePositive("maxStreams", maxStreams);
    requirePositive("streamBufferBytes", streamBufferBytes);
    requirePositive("heartbeat", heartbeat.toNanos());
  }

  /** Returns the bounds of a door that nobody configured. */
  public static HttpLimits defaults() {
    return new HttpLimits(
        10_000,
        8 << 10,
        8 << 10,
        64 << 10,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        Duration.ofSeconds(2),
        100,
        256 << 10,
        Duration.ofSeconds(15));
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be above zero: " + value);
    }
  }
}
