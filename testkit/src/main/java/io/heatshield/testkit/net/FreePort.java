package io.heatshield.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A finder of TCP ports on loopback that nobody listens on.
 *
 * <p>Code that can bind to port 0 and ask for the port it got should do that: it has no race. This
 * finder is for what must be told a port before it binds, such as another process, and for a port
 * that is given up and taken again. Between the answer and the bind another process may take the
 * port, so the caller must be ready to try the next one. Calls in one JVM get different ports.
 *
 * <p>Any thread may call it.
 */
public final class FreePort {
  /*
   * The ports lie below those that systems give to outgoing connections (from 32768 on Linux, from
   * 49152 elsewhere). Otherwise a client that keeps dialling a dead port on loopback is one day
   * given that very port as its own, connects to itself, and the server can not come back.
   */
  static final int FIRST = 20_000;
  static final int PORTS = 12_000;

  private static final AtomicInteger CURSOR =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

  private FreePort() {}

  /** Returns a port that could be bound on loopback a moment ago. */
  public static int find() {
    for (int i = 0; i < PORTS; i++) {
      int port = FIRST + Math.floorMod(CURSOR.getAndIncrement(), PORTS);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no port on loopback is free from " + FIRST + " to " + (FIRST + PORTS - 1));
  }

  /** Returns whether a port can be bound on loopback. */
  static boolean isFree(int port) {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(false);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
