package io.heatshield.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A finder of free TCP ports on loopback.
 *
 * <p>Code that can bind to port 0 and read the assigned port should do that: it has no race. This
 * finder is for code that needs the port before the bind, such as another process, and for a port
 * that is closed and opened again. Another process may take the port before the bind, so the caller
 * must be ready to try the next one. Calls in one JVM return different ports.
 *
 * <p>Any thread may call it.
 */
public final class FreePort {
  /*
   * The ports are below the ephemeral range (from 32768 on Linux, from 49152 elsewhere). Otherwise
   * a client that keeps connecting to a closed port on loopback sooner or later gets that port as
   * its local port, connects to itself, and the server cannot bind the port again.
   */
  static final int FIRST = 20_000;
  static final int PORTS = 12_000;

  private static final AtomicInteger CURSOR =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

  private FreePort() {}

  /** Returns a port on loopback that was free during this call. */
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
