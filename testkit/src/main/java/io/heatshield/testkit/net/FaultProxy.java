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
 * A TCP proxy on loopback that passes bytes between clients and one upstream address, and breaks
 * what passes on demand.
 *
 * <p>One fault holds at a time, {@link #pass} at first. A switch takes effect at once, also for
 * present connections and for bytes that wait in the proxy; a byte already forwarded is not called
 * back. A client's reset or end of stream is passed on as such. When upstream can not be reached,
 * the client's connection is reset.
 *
 * <p>Any thread may call any method.
 */
public final class FaultProxy implements AutoCloseable {
  /*
   * One thread accepts; two threads for each connection pump, one each way (ProxiedConnection). A
   * pump looks at the fault for every chunk that it has read, so a switch needs no hand-shake; a
   * pump that waits is woken by FaultSwitch.
   *
   * The port comes from FreePort and not from a bind to 0: refuse() gives it up and must get it
   * back, see there.
   */
  private static final int ATTEMPTS = 10;

  private final InetSocketAddress upstream;
  private final FaultSwitch faults = new FaultSwitch();
  private final Set<ProxiedConnection> all = ConcurrentHashMap.newKeySet();
  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong requestBytes = new AtomicLong();
  private final AtomicLong replyBytes = new AtomicLong();
  private final int port;
  private @Nullable ServerSocket door;
  private @Nullable Thread acceptor;
  private boolean closed;

  private FaultProxy(InetSocketAddress upstream, ServerSocket door) {
    this.upstream = upstream;
    this.port = door.getLocalPort();
    open(door);
  }

  /** Starts a proxy before an upstream address, which need not answer yet. */
  public static FaultProxy to(String host, int port) {
    var upstream = new InetSocketAddress(host, port);
    for (int i = 1; ; i++) {
      try {
        return new FaultProxy(upstream, bind(FreePort.find()));
      } catch (BindException taken) {
        if (i == ATTEMPTS) {
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

  /** Passes everything on as it comes. */
  public void pass() {
    become(Fault.of(Fault.Kind.PASS));
  }

  /**
   * Holds every chunk of bytes back for a time, each way, so that a round trip takes at least twice
   * that long.
   */
  public void delay(Duration time) {
    become(Fault.waiting(Fault.Kind.DELAY, positive("time", time)));
  }

  /** Passes single bytes, each way, and waits before each of them. */
  public void dribble(Duration pause) {
    become(Fault.waiting(Fault.Kind.DRIBBLE, positive("pause", pause)));
  }

  /**
   * Ends each connection when exactly {@code n} bytes of upstream's replies were forwarded on it.
   *
   * <p>The count is each connection's own. It begins with this call, or with the connection if that
   * comes later. With {@code n} = 0 the end comes when the first byte of a reply arrives, so
   * upstream has acted and the client does not know. Both sides read an orderly end of stream after
   * what was forwarded; what they still write is swallowed.
   */
  public void cutReplyAfter(long n) {
    become(Fault.cutting(Fault.Kind.CUT_REPLY, notNegative(n)));
  }

  /**
   * Ends each connection when exactly {@code n} bytes of the client's requests were forwarded on
   * it; counted and ended as in {@link #cutReplyAfter}. With {@code n} = 0 the end comes when the
   * first byte of a request arrives, and upstream gets none.
   */
  public void cutRequestAfter(long n) {
    become(Fault.cutting(Fault.Kind.CUT_REQUEST, notNegative(n)));
  }

  /**
   * Accepts connections and swallows everything, both ways, ends of streams included.
   *
   * <p>A connection that has lost something stays so after a switch, and so does one made in the
   * meantime, which never reaches upstream: no stream goes on with a hole in it.
   */
  public void blackHole() {
    become(Fault.of(Fault.Kind.BLACK_HOLE));
  }

  /**
   * Closes the port, so that new connections are refused; present ones pass on. When this returns
   * nobody listens any more. The next switch opens the same port again.
   *
   * @throws IllegalStateException from the next switch, if another process took the port meanwhile
   */
  public void refuse() {
    become(Fault.of(Fault.Kind.REFUSE));
  }

  /** Resets all present connections that the proxy has accepted, on both sides; the fault stays. */
  public void resetAll() {
    all.stream().filter(ProxiedConnection::isPresent).forEach(ProxiedConnection::reset);
    faults.wake();
  }

  /** Returns how many connections were accepted so far. */
  public long connections() {
    return connections.get();
  }

  /** Returns how many connections are present: accepted and neither ended, cut nor reset. */
  public int openConnections() {
    return Math.toIntExact(all.stream().filter(ProxiedConnection::isPresent).count());
  }

  /** Returns how many of the present connections have lost something in a black hole. */
  public int lostConnections() {
    return Math.toIntExact(all.stream().filter(ProxiedConnection::isLost).count());
  }

  /** Returns how many bytes of requests were handed on to upstream so far. */
  public long requestBytes() {
    return requestBytes.get();
  }

  /** Returns how many bytes of replies were handed on to clients so far. */
  public long replyBytes() {
    return replyBytes.get();
  }

  /** Closes the port and resets all connections; safe to call twice. */
  @Override
  public synchronized void close() {
    closed = true;
    shut();
    all.forEach(ProxiedConnection::reset);
    faults.wake();
  }

  private synchronized void become(Fault fault) {
    if (closed) {
      throw new IllegalStateException("the proxy is closed");
    }
    if (fault.kind == Fault.Kind.REFUSE) {
      shut();
    } else if (door == null) {
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
    door = socket;
    acceptor = daemon("fault-proxy-accept-" + port, () -> acceptFrom(socket));
  }

  /** Closes the port. The thread in accept() holds the socket, so its end is waited for. */
  private void shut() {
    ServerSocket socket = door;
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
    door = null;
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
