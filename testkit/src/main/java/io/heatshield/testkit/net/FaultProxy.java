package io.heatshield.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on loopback that forwards bytes between clients and one upstream address, and injects
 * faults on demand.
 *
 * <p>One fault is set at a time; the first is {@link #pass}. A new fault takes effect at once, also
 * for open connections and for bytes that wait in the proxy. A client's reset or end of stream is
 * forwarded as such. If the upstream cannot be reached, the client's connection is reset.
 *
 * <p>Any thread may call any method.
 */
public final class FaultProxy implements AutoCloseable {
  /*
   * One thread accepts connections; each connection has two threads, one per direction
   * (ProxiedConnection). A thread reads the current fault for every chunk, so setting a fault needs
   * no handshake; FaultSwitch wakes a thread that waits.
   *
   * The port comes from FreePort and not from a bind to 0, because refuse() closes the port and
   * must be able to bind it again; see there.
   */
  private static final int MAX_BIND_ATTEMPTS = 10;

  private final InetSocketAddress upstream;
  private final FaultSwitch faults = new FaultSwitch();
  private final Set<ProxiedConnection> all = ConcurrentHashMap.newKeySet();
  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong requestBytes = new AtomicLong();
  private final AtomicLong replyBytes = new AtomicLong();
  private final int port;
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;
  private boolean closed;

  private FaultProxy(InetSocketAddress upstream, ServerSocket listener) {
    this.upstream = upstream;
    this.port = listener.getLocalPort();
    open(listener);
  }

  /** Starts a proxy for an upstream address; nothing has to listen there yet. */
  public static FaultProxy to(String host, int port) {
    var upstream = new InetSocketAddress(host, port);
    for (int i = 1; ; i++) {
      try {
        return new FaultProxy(upstream, bind(FreePort.find()));
      } catch (BindException taken) {
        if (i == MAX_BIND_ATTEMPTS) {
          throw new UncheckedIOException(taken);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns the address that clients connect to. */
  public String host() {
    return "127.0.0.1";
  }

  /** Returns the port that clients connect to; it stays the same for the life of the proxy. */
  public int port() {
    return port;
  }

  /** Forwards everything unchanged. */
  public void pass() {
    setFault(Fault.of(Fault.Kind.PASS));
  }

  /**
   * Delays every chunk of bytes, in each direction, so that a round trip takes at least twice the
   * given time.
   */
  public void delay(Duration time) {
    setFault(Fault.waiting(Fault.Kind.DELAY, positive("time", time)));
  }

  /** Forwards single bytes, in each direction, and waits before each of them. */
  public void dribble(Duration pause) {
    setFault(Fault.waiting(Fault.Kind.DRIBBLE, positive("pause", pause)));
  }

  /**
   * Ends each connection when exactly {@code n} bytes of the upstream's replies were forwarded on
   * it.
   *
   * <p>Bytes are counted per connection, from this call on, or from the start of the connection if
   * that is later. With {@code n} = 0 the connection ends when the first byte of a reply arrives:
   * the upstream has executed the command and the client does not know. Both sides read the
   * forwarded bytes and then an orderly end of stream; what they still write is discarded.
   */
  public void cutReplyAfter(long n) {
    setFault(Fault.cutting(Fault.Kind.CUT_REPLY, notNegative(n)));
  }

  /**
   * Ends each connection when exactly {@code n} bytes of the client's requests were forwarded on
   * it; counted and ended as in {@link #cutReplyAfter}. With {@code n} = 0 the connection ends when
   * the first byte of a request arrives, and the upstream receives nothing.
   */
  public void cutRequestAfter(long n) {
    setFault(Fault.cutting(Fault.Kind.CUT_REQUEST, notNegative(n)));
  }

  /**
   * Accepts connections and discards everything, in both directions, ends of streams included.
   *
   * <p>A connection that has lost bytes keeps discarding after another fault is set, and so does
   * one that was accepted in the meantime and never reaches the upstream: no stream continues with
   * a gap.
   */
  public void blackHole() {
    setFault(Fault.of(Fault.Kind.BLACK_HOLE));
  }

  /**
   * Closes the port, so that new connections are refused; open connections keep forwarding. The
   * port is closed when this returns. Setting another fault opens the same port again.
   *
   * @throws IllegalStateException when the next fault is set, if another process has taken the port
   */
  public void refuse() {
    setFault(Fault.of(Fault.Kind.REFUSE));
  }

  /** Resets all open connections that the proxy has accepted, on both sides; the fault stays. */
  public void resetAll() {
    all.stream().filter(ProxiedConnection::isOpen).forEach(ProxiedConnection::reset);
    faults.wake();
  }

  /** Returns the number of connections accepted so far. */
  public long connections() {
    return connections.get();
  }

  /** Returns the number of open connections: accepted and neither ended, cut nor reset. */
  public int openConnections() {
    return Math.toIntExact(all.stream().filter(ProxiedConnection::isOpen).count());
  }

  /** Returns the number of open connections that have lost bytes in a black hole. */
  public int lostConnections() {
    return Math.toIntExact(all.stream().filter(ProxiedConnection::isLost).count());
  }

  /** Returns the number of request bytes forwarded to the upstream so far. */
  public long requestBytes() {
    return requestBytes.get();
  }

  /** Returns the number of reply bytes forwarded to clients so far. */
  public long replyBytes() {
    return replyBytes.get();
  }

  /** Closes the port and resets all connections; safe to call twice. */
  @Override
  public synchronized void close() {
    closed = true;
    closePort();
    all.forEach(ProxiedConnection::reset);
    faults.wake();
  }

  private synchronized void setFault(Fault fault) {
    if (closed) {
      throw new IllegalStateException("the proxy is closed");
    }
    if (fault.kind == Fault.Kind.REFUSE) {
      closePort();
    } else if (listener == null) {
      try {
        open(bind(port));
      } catch (IOException e) {
        throw new IllegalStateException("port " + port + " was taken while it was closed", e);
      }
    }
    faults.set(fault);
  }

  private static ServerSocket bind(int port) throws IOException {
    var socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void open(ServerSocket socket) {
    listener = socket;
    acceptor = daemon("fault-proxy-accept-" + port, () -> acceptFrom(socket));
  }

  /**
   * Closes the port; waits for the thread in accept(), which keeps the socket open until it ends.
   */
  private void closePort() {
    ServerSocket socket = listener;
    Thread thread = acceptor;
    if (socket == null || thread == null) {
      return;
    }
    try {
      socket.close();
      thread.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listener = null;
    acceptor = null;
  }

  private void acceptFrom(ServerSocket socket) {
    while (!socket.isClosed()) {
      Socket client;
      try {
        client = socket.accept();
      } catch (IOException e) {
        continue;
      }
      connections.incrementAndGet();
      var connection =
          new ProxiedConnection(client, upstream, faults, requestBytes, replyBytes, all);
      all.add(connection);
      connection.start();
    }
  }

  static Thread daemon(String name, Runnable work) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static long positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
    return value.toNanos();
  }

  private static long notNegative(long n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    return n;
  }
}
