package io.heatshield.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A client's connection and its counterpart to the upstream, with one thread per direction. */
final class ProxiedConnection {
  /*
   * stage only advances: OPEN, then LOST (black hole) or CUT, then CLOSED; it is written under the
   * lock of this. A lost connection keeps both sockets until it is reset, so that neither side sees
   * an end of stream.
   *
   * A cut ends both streams with a FIN and keeps reading and discarding until the peers close:
   * closing a socket that has unread bytes sends a reset, and a reset may destroy bytes that the
   * peer has not read yet. The peer would then receive fewer than the promised n bytes.
   */
  private enum Stage {
    OPEN,
    LOST,
    CUT,
    CLOSED
  }

  private final Socket client;
  private final Socket server = new Socket();
  private final InetSocketAddress upstream;
  private final FaultSwitch faults;
  private final AtomicLong requestBytes;
  private final AtomicLong replyBytes;
  private final Set<ProxiedConnection> all;
  private final AtomicInteger directionsEnded = new AtomicInteger();
  private volatile Stage stage = Stage.OPEN;

  ProxiedConnection(
      Socket client,
      InetSocketAddress upstream,
      FaultSwitch faults,
      AtomicLong requestBytes,
      AtomicLong replyBytes,
      Set<ProxiedConnection> all) {
    this.client = client;
    this.upstream = upstream;
    this.faults = faults;
    this.requestBytes = requestBytes;
    this.replyBytes = replyBytes;
    this.all = all;
  }

  void start() {
    FaultProxy.daemon("fault-proxy-request", this::connectAndPumpRequests);
  }

  /** Returns whether the connection still looks open to the client. */
  boolean isOpen() {
    return stage == Stage.OPEN || stage == Stage.LOST;
  }

  /** Returns whether a black hole has discarded bytes of this connection. */
  boolean isLost() {
    return stage == Stage.LOST;
  }

  /** Ends both sides with a reset, at once. */
  void reset() {
    advance(Stage.CLOSED);
    all.remove(this);
    abort(client);
    abort(server);
  }

  private void connectAndPumpRequests() {
    try {
      client.setTcpNoDelay(true);
      if (faults.get().kind == Fault.Kind.BLACK_HOLE) {
        advance(Stage.LOST);
      } else {
        server.connect(upstream);
        server.setTcpNoDelay(true);
        FaultProxy.daemon(
            "fault-proxy-reply", () -> pump(Fault.Kind.CUT_REPLY, server, client, replyBytes));
      }
    } catch (IOException e) {
      reset();
      return;
    }
    pump(Fault.Kind.CUT_REQUEST, client, server, requestBytes);
  }

  private void pump(Fault.Kind cut, Socket from, Socket to, AtomicLong counter) {
    try {
      InputStream in = from.getInputStream();
      var direction = new Direction(cut, to, counter);
      byte[] chunk = new byte[8192];
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        direction.forward(chunk, length);
      }
      end(from, to);
    } catch (IOException e) {
      fail(from);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reset();
    }
  }

  /** Forwards the end of one stream, unless the connection is in a black hole. */
  private void end(Socket from, Socket to) throws IOException {
    switch (stageAtEnd()) {
      case OPEN -> to.shutdownOutput();
      case CUT, CLOSED -> closeQuietly(from);
      case LOST -> {
        return;
      }
    }
    if (directionsEnded.incrementAndGet() == 2) {
      advance(Stage.CLOSED);
      all.remove(this);
      closeQuietly(client);
      closeQuietly(server);
    }
  }

  /** Forwards a failure as a reset, unless the connection is in a black hole or cut. */
  private void fail(Socket from) {
    switch (stageAtEnd()) {
      case OPEN, CLOSED -> reset();
      case CUT, LOST -> closeQuietly(from);
    }
  }

  private Stage stageAtEnd() {
    if (faults.get().kind == Fault.Kind.BLACK_HOLE) {
      advance(Stage.LOST);
    }
    return stage;
  }

  private void cut() {
    if (advance(Stage.CUT)) {
      finish(client);
      finish(server);
    }
  }

  private synchronized boolean advance(Stage next) {
    if (next.compareTo(stage) <= 0 || (stage == Stage.LOST && next == Stage.CUT)) {
      return false;
    }
    stage = next;
    return true;
  }

  private static void finish(Socket socket) {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      closeQuietly(socket);
    }
  }

  private static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Without linger the socket ends with a FIN, or it is closed already. Close it anyway.
    }
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // The peer sees the end of the stream either way.
    }
  }

  /** The bytes of one direction, counted since the current fault was set. */
  private final class Direction {
    private final Fault.Kind cut;
    private final Socket to;
    private final AtomicLong counter;
    private @Nullable Fault current;
    private long forwarded;

    Direction(Fault.Kind cut, Socket to, AtomicLong counter) {
      this.cut = cut;
      this.to = to;
      this.counter = counter;
    }

    void forward(byte[] chunk, int length) throws IOException, InterruptedException {
      int at = 0;
      while (at < length && stage == Stage.OPEN) {
        Fault fault = faults.get();
        if (fault != current) {
          current = fault;
          forwarded = 0;
        }
        at += step(fault, chunk, at, length - at);
      }
    }

    /** Applies the fault to the next bytes and returns how many of them it has processed. */
    private int step(Fault fault, byte[] chunk, int at, int left)
        throws IOException, InterruptedException {
      switch (fault.kind) {
        case BLACK_HOLE -> {
          advance(Stage.LOST);
          return left;
        }
        case DELAY -> {
          return faults.waitOut(fault, this::isForwarding) ? write(chunk, at, left) : 0;
        }
        case DRIBBLE -> {
          return faults.waitOut(fault, this::isForwarding) ? write(chunk, at, 1) : 0;
        }
        case CUT_REPLY, CUT_REQUEST -> {
          if (fault.kind != cut) {
            return write(chunk, at, left);
          }
          int count = write(chunk, at, (int) Math.min(left, fault.bytes - forwarded));
          if (forwarded == fault.bytes) {
            cut();
          }
          return count;
        }
        case PASS, REFUSE -> {
          return write(chunk, at, left);
        }
      }
      throw new IllegalStateException("unknown fault: " + fault.kind);
    }

    /**
     * Writes bytes; counts them first, so that a byte is counted before the peer can receive it.
     */
    private int write(byte[] chunk, int at, int count) throws IOException {
      counter.addAndGet(count);
      forwarded += count;
      OutputStream out = to.getOutputStream();
      try {
        out.write(chunk, at, count);
      } catch (IOException e) {
        if (stage == Stage.OPEN) {
          throw e;
        }
      }
      return count;
    }

    private boolean isForwarding() {
      return stage == Stage.OPEN;
    }
  }
}
