package io.heatshield.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that hands its accepted sockets to the test, which plays upstream on them. */
final class ScriptedUpstream implements AutoCloseable {
  private final ServerSocket door;
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

  ScriptedUpstream() throws IOException {
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var thread = new Thread(this::acceptAll, "scripted-upstream");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return door.getLocalPort();
  }

  /** Waits for the next connection; a read on it gives up after a while. */
  Socket next() throws IOException, InterruptedException {
    Socket socket = accepted.poll(20, TimeUnit.SECONDS);
    if (socket == null) {
      throw new IllegalStateException("nobody connected to upstream");
    }
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** Returns whether nobody has connected that the test has not taken yet. */
  boolean isUntouched() {
    return accepted.isEmpty();
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }

  private void acceptAll() {
    try {
      while (!door.isClosed()) {
        accepted.add(door.accept());
      }
    } catch (IOException e) {
      if (!door.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
