package io.heatshield.redis;

import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.Endpoint;
import io.heatshield.redis.connection.ReplicaException;
import io.heatshield.redis.connection.ServerConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A subscription to the keys that are changed, expired or evicted on one server: client-side
 * caching in broadcast mode, on a connection of its own that reconnects whenever it is lost.
 *
 * <p>A server that does not answer a ping within {@value #TIMEOUT_MILLIS} ms counts as lost. One
 * that replies BUSY or LOADING is alive: it executes nothing, so nothing changes either.
 */
public final class Invalidations implements AutoCloseable {
  /*
   * up          volatile; read by threads that trust cached values, written by the reader
   * answered    volatile; the time of the last ping that was answered, written by the reader
   * refusedAt   volatile; when the server last replied with an error, written by the reader
   * busyAt      volatile; the same for BUSY and LOADING
   *
   * Order: on a new connection the listener first receives "any key may have changed", and only
   * then does up become true; when the connection is lost, up becomes false first. After the
   * handshake the reader never writes and the pinger never reads, so they share a connection. The
   * argument of a ping is the time before it is sent, on one clock for all servers, so that a mark
   * of that clock can be compared with the pings of several servers.
   */
  static final int TIMEOUT_MILLIS = 500;
  private static final long PING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long NEVER = -1;
  private static final long START = System.nanoTime();
  private static final Logger LOG = LoggerFactory.getLogger(Invalidations.class);

  /** Receives changes on a thread of the client; must not block. */
  @FunctionalInterface
  public interface Listener {
    /** Receives a key that was changed, or null if any key may have been. */
    void changed(byte @Nullable [] key);
  }

  private final String name;
  private final Endpoint endpoint;
  private final ClientSettings settings;
  private final byte[] prefix;
  private final Listener listener;
  private final Thread reader;
  private final Thread pinger;
  private volatile @Nullable ServerConnection connection;
  private volatile boolean up;
  private volatile boolean closed;
  private volatile boolean replica;
  private volatile long answered;
  private volatile long refusedAt = NEVER;
  private volatile long busyAt = NEVER;

  Invalidations(
      String name, Endpoint endpoint, ClientSettings settings, byte[] prefix, Listener listener) {
    this.name = name;
    this.endpoint = endpoint;
    this.settings = settings;
    this.prefix = prefix;
    this.listener = listener;
    this.reader = new Thread(this::run, "invalidations of " + name);
    this.pinger = new Thread(this::ping, "invalidations ping of " + name);
    endpoint.onSwitch(this::onSwitch);
    reader.setDaemon(true);
    pinger.setDaemon(true);
  }

  /**
   * Subscribes to the first server of a URL.
   *
   * @param watcher if not null, the server must be a master
   */
  public static Invalidations open(
      RedisUrl url, @Nullable SentinelWatcher watcher, Listener listener) {
    Address server = url.hosts().get(0);
    Endpoint endpoint = watcher == null ? () -> server : watcher.masterAt(server);
    ClientSettings settings = Redis.builder(url).settings();
    return new Invalidations(url.toString(), endpoint, settings, new byte[0], listener).start();
  }

  Invalidations start() {
    reader.start();
    pinger.start();
    return this;
  }

  /** Returns whether every change since the last "any key" has been and is being delivered. */
  public boolean isUp() {
    return up;
  }

  /** Returns whether the server answers, even if only with errors. */
  public boolean isAnswering() {
    return up || isRecent(refusedAt);
  }

  /** Returns whether the server has recently replied that it runs a script or loads its data. */
  public boolean isBusy() {
    return isRecent(busyAt);
  }

  /** Returns whether a server that must be a master was a replica when last checked. */
  public boolean isReplica() {
    return replica;
  }

  /** Reconnects, which checks again that the server is a master. */
  public void reconnect() {
    up = false;
    drop();
  }

  /** Returns the present time as a mark, 0 or more, for {@link #hasPassed} of any server. */
  public static long mark() {
    return System.nanoTime() - START;
  }

  /** Returns whether every change that the server made before a mark has been delivered. */
  public boolean hasPassed(long mark) {
    return answered > mark;
  }

  @Override
  public void close() {
    closed = true;
    up = false;
    drop();
    LockSupport.unpark(reader);
    LockSupport.unpark(pinger);
  }

  private void run() {
    while (!closed) {
      try {
        ServerConnection opened = connect();
        while (!closed) {
          readMessage(opened);
        }
      } catch (RuntimeException e) {
        if (e instanceof JedisDataException refusal) {
          onRefusal(refusal);
        }
        if (!closed && up) {
          LOG.warn("invalidations from {} are interrupted: serving nothing from memory", name);
        }
      } finally {
        up = false;
        drop();
      }
      if (!closed) {
        LockSupport.parkNanos(this, ClientSettings.RETRY_NANOS);
      }
    }
  }

  private ServerConnection connect() {
    ServerConnection opened = settings.data().open(endpoint.find());
    connection = opened;
    opened.setSoTimeout(TIMEOUT_MILLIS);
    opened.switchToResp3();
    awaitReady(opened);
    verify(opened);
    opened.retryName();
    opened.sendCommand(Protocol.Command.CLIENT, tracking());
    opened.flush();
    opened.read();
    listener.changed(null);
    up = true;
    if (!endpoint.find().equals(opened.peer())) {
      throw new JedisConnectionException("the master has changed");
    }
    LOG.info("subscribed to invalidations from {}", name);
    return opened;
  }

  /** Pings a busy server until it executes commands, without a new connection for each ping. */
  private void awaitReady(ServerConnection opened) {
    while (true) {
      try {
        opened.call(Protocol.Command.PING);
        return;
      } catch (JedisDataException e) {
        onBusy(e);
        LockSupport.parkNanos(this, ClientSettings.RETRY_NANOS);
      }
    }
  }

  private void verify(ServerConnection opened) {
    try {
      endpoint.verify(opened);
      replica = false;
    } catch (ReplicaException e) {
      if (!replica) {
        LOG.warn("{} is a replica, although sentinels name it as the master: not used", name);
      }
      replica = true;
      throw e;
    }
  }

  private byte[][] tracking() {
    var words = new ArrayList<byte[]>();
    Stream.of("TRACKING", "ON", "BCAST").map(Invalidations::ascii).forEach(words::add);
    if (prefix.length > 0) {
      words.addAll(List.of(ascii("PREFIX"), prefix));
    }
    return words.toArray(new byte[0][]);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads the next message: a push, or the reply to a ping. */
  private void readMessage(ServerConnection opened) {
    Object message;
    try {
      message = opened.read();
    } catch (JedisDataException e) {
      onBusy(e);
      return;
    }
    if (message instanceof byte[] ping) {
      answered = Long.parseLong(new String(ping, StandardCharsets.US_ASCII));
    } else if (message instanceof List<?> push && push.size() == 2) {
      if (push.get(1) instanceof List<?> keys) {
        keys.forEach(key -> listener.changed(key instanceof byte[] bytes ? bytes : null));
      } else {
        listener.changed(null);
      }
    }
  }

  /** Records that the server is busy; rethrows any other error. */
  private void onBusy(JedisDataException e) {
    if (!ServerConnection.isBusy(e)) {
      throw e;
    }
    onRefusal(e);
  }

  private void onRefusal(JedisDataException e) {
    refusedAt = mark();
    if (ServerConnection.isBusy(e)) {
      if (!isBusy()) {
        String code = ServerConnection.errorCode(String.valueOf(e.getMessage()));
        LOG.warn("{} is busy: it replies {}", name, code);
      }
      busyAt = refusedAt;
    }
  }

  private static boolean isRecent(long at) {
    return at != NEVER && mark() - at < RECENT_NANOS;
  }

  /** Closes a connection to another server than the master. */
  private void onSwitch(Address master) {
    ServerConnection present = connection;
    if (present != null && !present.peer().equals(master)) {
      up = false;
      present.abort();
    }
  }

  private void ping() {
    while (!closed) {
      ServerConnection present = connection;
      if (present != null && up) {
        try {
          present.sendCommand(Protocol.Command.PING, Long.toString(mark()));
          present.flush();
        } catch (RuntimeException e) {
          LOG.debug("{} cannot be pinged", name);
          present.abort();
        }
      }
      LockSupport.parkNanos(this, PING_NANOS);
    }
  }

  private void drop() {
    ServerConnection present = connection;
    if (present != null) {
      present.abort();
      connection = null;
    }
  }
}
