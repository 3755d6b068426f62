package io.heatshield.web.http;

import java.time.Duration;

/**
 * The limits of the HTTP server. Every request or connection beyond a limit is refused and counted.
 *
 * @param maxConnections open connections; another one gets 503 and is closed
 * @param maxLineBytes size of the request line; a longer one gets 414
 * @param maxHeaderBytes size of all headers of a request; more gets 431
 * @param maxBodyBytes size of a request body; more gets 413
 * @param headerTimeout time from the start of a connection, or from the first byte of a request, to
 *     the end of the headers; later gets 408
 * @param bodyTimeout time from the end of the headers to the end of the body; later gets 408
 * @param idleTimeout time between two requests of a connection, which is then closed
 * @param handlerTimeout time for the handler to respond; later gets 503
 * @param writeTimeout time for the client to read a response before the connection is closed
 * @param lingerTimeout time for the client to read the last response before the socket is closed
 * @param maxStreams open event streams; another one gets 503
 * @param streamBufferBytes unsent bytes of an event stream before its client is dropped
 * @param heartbeat interval between heartbeats of an event stream
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

  /** Returns the default limits. */
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
}
