package io.heatshield.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that passes its accepted sockets to the test, which acts as the upstream. */
final class ScriptedUpstream implements AutoCloseable {
  private final ServerSocket endpoint;
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

  ScriptedUpstream() throws IOException {
    endpoint = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var thread = new Thread(this::acceptAll, "scripted-upstream");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return endpoint.getLocalPort();
  }

  /** Waits for the next connection; its reads have a timeout. */
  Socket next() throws IOException, InterruptedException {
    Socket socket = accepted.poll(20, TimeUnit.SECONDS);
    if (socket == null) {
      throw new IllegalStateException("no connection to the upstream within 20 s");
    }
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** Returns whether there is no connection that the test has not taken yet. */
  boolean isUntouched() {
    return accepted.isEmpty();
  }

  @Override
  public void close() throws IOException {
    endpoint.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }

  private void acceptAll() {
    try {
      while (!endpoint.isClosed()) {
        accepted.add(endpoint.accept());
      }
    } catch (IOException e) {
      if (!endpoint.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
