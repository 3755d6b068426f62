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

/** One client's connection and its counterpart to upstream, with a thread for each way. */
final class ProxiedConnection {
  /*
   * stage goes only forward: OPEN, then LOST (black hole) or CUT, then CLOSED, written under this.
   * A lost connection keeps both its sockets until it is reset, so that neither side sees an end.
   *
   * A cut ends both streams with a FIN and goes on reading, into nothing, until the peers close:
   * closing a socket that holds unread bytes sends a reset, and a reset may destroy bytes that the
   * peer has not read yet. Exactly n bytes would then be at most n.
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
  private final AtomicInteger waysEnded = new AtomicInteger();
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

  /** Returns whether the client still has reason to think that this connection works. */
  boolean isPresent() {
    return stage == Stage.OPEN || stage == Stage.LOST;
  }

  /** Returns whether something of this connection went into a black hole. */
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
      var way = new Way(cut, to, counter);
      byte[] chunk = new byte[8192];
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        way.forward(chunk, length);
      }
      end(from, to);
    } catch (IOException e) {
      fail(from);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reset();
    }
  }

  /** Passes the end of one stream on; nothing passes out of a black hole. */
  private void end(Socket from, Socket to) throws IOException {
    switch (stageAtTheEnd()) {
      case OPEN -> to.shutdownOutput();
      case CUT, CLOSED -> closeQuietly(from);
      case LOST -> {
        return;
      }
    }
    if (waysEnded.incrementAndGet() == 2) {
      advance(Stage.CLOSED);
      all.remove(this);
      closeQuietly(client);
      closeQuietly(server);
    }
  }

  /** Passes a failure on as a reset; after a black hole or a cut the other side hears nothing. */
  private void fail(Socket from) {
    switch (stageAtTheEnd()) {
      case OPEN, CLOSED -> reset();
      case CUT, LOST -> closeQuietly(from);
    }
  }

  private Stage stageAtTheEnd() {
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
      // A socket without linger ends with a FIN or is closed already; closing it is still right.
    }
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException nothingLeftToClose) {
      // The peer sees the end of the stream either way.
    }
  }

  /** The bytes that go one way, counted since the present fault was set. */
  private final class Way {
    private final Fault.Kind cut;
    private final Socket to;
    private final AtomicLong counter;
    private @Nullable Fault seen;
    private long forwarded;

    Way(Fault.Kind cut, Socket to, AtomicLong counter) {
      this.cut = cut;
      this.to = to;
      this.counter = counter;
    }

    void forward(byte[] chunk, int length) throws IOException, InterruptedException {
      int at = 0;
      while (at < length && stage == Stage.OPEN) {
        Fault fault = faults.get();
        if (fault != seen) {
          seen = fault;
          forwarded = 0;
        }
        at += step(fault, chunk, at, length - at);
      }
    }

    /** Does what the fault says with the next bytes and returns how many of them are dealt with. */
    private int step(Fault fault, byte[] chunk, int at, int left)
        throws IOException, InterruptedException {
      switch (fault.kind) {
        case BLACK_HOLE -> {
          advance(Stage.LOST);
          return left;
        }
        case DELAY -> {
          return faults.waitOut(fault, this::isOpen) ? write(chunk, at, left) : 0;
        }
        case DRIBBLE -> {
          return faults.waitOut(fault, this::isOpen) ? write(chunk, at, 1) : 0;
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
      throw new IllegalStateException("no such fault: " + fault.kind);
    }

    /** Counts first, so that who has received a byte finds it counted. */
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

    private boolean isOpen() {
      return stage == Stage.OPEN;
    }
  }
}
