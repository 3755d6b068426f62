package io.heatshield.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Hears from one server which keys anybody changes, let them end or throws out: client-side caching
 * in its broadcast mode, on a connection of its own that is made again whenever it is lost.
 *
 * <p>A server that does not answer a ping within {@value #PATIENCE_MILLIS} ms is taken for lost.
 * One that answers with BUSY or LOADING is alive: it executes nothing, so nothing changes either.
 */
public final class Invalidations implements AutoCloseable, Runnable {
  /*
   * up         read: volatile, by whoever wants to trust what is cached   written by the reader
   * answered   when the last ping that was answered had been made         written by the reader
   * refusedAt  when the server last answered with an error                written by the reader
   * busyAt     the same, with BUSY or LOADING                             written by the reader
   *
   * The order that makes it safe: when the connection is up the listener is told that any key may have changed, and only
   * then does up become true; when it is lost, up becomes false first. The reader never writes after the start and the
   * pinger never reads, so the two share a connection. A ping is named by the moment before it is sent, on one clock for
   * all servers, so a mark of that clock can be held against the pings of several.
   */
  static final int PATIENCE_MILLIS = 500;
  private static final long PING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long NEVER = -1;
  private static final long START = System.nanoTime();
  private static final Logger LOG = LoggerFactory.getLogger(Invalidations.class);

  /** Who is told; called by a thread of the client, and must not block. */
  @FunctionalInterface
  public interface Listener {
    /** Takes a key that was changed, or null if any may have been. */
    void changed(byte @Nullable [] key);
  }

  private final String name;
  private final Endpoint endpoint;
  private final Settings settings;
  private final byte[] prefix;
  private final Listener listener;
  private final Thread reader;
  private final Thread pinger;
  private volatile @Nullable Link link;
  private volatile boolean up;
  private volatile boolean closed;
  private volatile boolean replica;
  private volatile long answered;
  private volatile long refusedAt = NEVER;
  private volatile long busyAt = NEVER;

  Invalidations(
      String name, Endpoint endpoint, Settings settings, byte[] prefix, Listener listener) {
    this.name = name;
    this.endpoint = endpoint;
    this.settings = settings;
    this.prefix = prefix;
    this.listener = listener;
    this.reader = new Thread(this, "changes of " + name);
    this.pinger = new Thread(this::ping, "ping for changes of " + name);
    endpoint.onSwitch(this::leave);
    reader.setDaemon(true);
    pinger.setDaemon(true);
  }

  /**
   * Begins to listen to the one server that an address names first.
   *
   * @param watcher if it is not null, the server must be a master
   */
  public static Invalidations open(
      RedisUrl url, @Nullable SentinelWatcher watcher, Listener listener) {
    Address server = url.hosts().get(0);
    Endpoint endpoint = watcher == null ? () -> server : watcher.masterAt(server);
    Settings settings = Settings.of(Redis.builder(url));
    return new Invalidations(url.toString(), endpoint, settings, new byte[0], listener).start();
  }

  Invalidations start() {
    reader.start();
    pinger.start();
    return this;
  }

  /** Returns whether every change is being told, and has been since the last one of any key. */
  public boolean isUp() {
    return up;
  }

  /** Returns whether the server answers, be it with errors only. */
  public boolean isAnswering() {
    return up || isLately(refusedAt);
  }

  /** Returns whether the server has lately answered that it runs a script or loads its data. */
  public boolean isBusy() {
    return isLately(busyAt);
  }

  /** Returns whether a server that must be a master called itself a replica when last asked. */
  public boolean isReplica() {
    return replica;
  }

  /** Connects again, and so checks anew that the server is a master. */
  public void reconnect() {
    up = false;
    drop();
  }

  /** Returns a mark of this moment, 0 or more, for {@link #hasPassed} of any server. */
  public static long mark() {
    return System.nanoTime() - START;
  }

  /** Returns whether every change that the server made before a mark was taken has been told. */
  public boolean hasPassed(long mark) {
    return answered > mark;
  }

  @Override
  public void run() {
    while (!closed) {
      try {
        connect();
        while (!closed) {
          take();
        }
      } catch (RuntimeException e) {
        if (e instanceof JedisDataException) {
          refused(e);
        }
        if (!closed && up) {
          LOG.warn("changes of {} are not told any more; nothing is served from memory", name);
        }
      } finally {
        up = false;
        drop();
      }
      if (!closed) {
        LockSupport.parkNanos(this, settings.probeNanos());
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    up = false;
    drop();
    LockSupport.unpark(reader);
    LockSupport.unpark(pinger);
  }

  private void connect() {
    Link made = settings.data().open(endpoint.find());
    link = made;
    made.setSoTimeout(PATIENCE_MILLIS);
    made.speakThird();
    while (!isReady(made)) {
      LockSupport.parkNanos(this, settings.probeNanos());
    }
    verify(made);
    made.nameAgain();
    made.sendCommand(Protocol.Command.CLIENT, tracking());
    made.send();
    made.next();
    listener.changed(null);
    up = true;
    if (!endpoint.find().equals(made.peer())) {
      throw new JedisConnectionException("the master has changed");
    }
    LOG.info("subscribed to invalidations from {}", name);
  }

  /**
   * Returns whether the server executes commands; a busy one is asked again, not connected anew.
   */
  private boolean isReady(Link made) {
    made.sendCommand(Protocol.Command.PING);
    made.send();
    try {
      made.next();
      return true;
    } catch (JedisDataException e) {
      refusedAsBusy(e);
      return false;
    }
  }

  /** Takes note that the server is busy; any other error is thrown on. */
  private void refusedAsBusy(JedisDataException e) {
    if (!Link.isBusy(e)) {
      throw e;
    }
    refused(e);
  }

  private void refused(RuntimeException e) {
    refusedAt = mark();
    if (Link.isBusy(e)) {
      if (!isBusy()) {
        LOG.warn("{} is busy, it answers {}", name, Round.code(String.valueOf(e.getMessage())));
      }
      busyAt = refusedAt;
    }
  }

  private static boolean isLately(long at) {
    return at != NEVER && mark() - at < LATELY_NANOS;
  }

  /** Ends a connection to another server than the master; nothing counts as told at once. */
  private void leave(Address master) {
    Link present = link;
    if (present != null && !present.peer().equals(master)) {
      up = false;
      present.abort();
    }
  }

  private void verify(Link made) {
    try {
      endpoint.verify(made);
      replica = false;
    } catch (ReplicaException e) {
      if (!replica) {
        LOG.warn("{} is a replica, and sentinels call it the master: it is not used", name);
      }
      replica = true;
      throw e;
    }
  }

  private byte[][] tracking() {
    var words = new ArrayList<byte[]>(List.of(word("TRACKING"), word("ON"), word("BCAST")));
    if (prefix.length > 0) {
      words.addAll(List.of(word("PREFIX"), prefix));
    }
    return words.toArray(new byte[0][]);
  }

  private static byte[] word(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Waits for the next thing the server says; silence is an exception. */
  private void take() {
    Link present = link;
    if (present == null) {
      throw new IllegalStateException("the connection was closed");
    }
    Object said;
    try {
      said = present.next();
    } catch (JedisDataException e) {
      refusedAsBusy(e);
      return;
    }
    if (said instanceof byte[] ping) {
      answered = Long.parseLong(new String(ping, StandardCharsets.US_ASCII));
    }
    if (!(said instanceof List<?> push) || push.size() != 2) {
      return;
    }
    if (push.get(1) instanceof List<?> keys) {
      for (Object key : keys) {
        listener.changed(key instanceof byte[] bytes ? bytes : null);
      }
    } else {
      listener.changed(null);
    }
  }

  private void ping() {
    while (!closed) {
      Link present = link;
      if (present != null && up) {
        try {
          present.sendCommand(Protocol.Command.PING, Long.toString(mark()));
          present.send();
        } catch (RuntimeException e) {
          LOG.debug("{} can not be pinged", name);
          present.abort();
        }
      }
      LockSupport.parkNanos(this, PING_NANOS);
    }
  }

  private void drop() {
    Link present = link;
    if (present != null) {
      present.abort();
      link = null;
    }
  }
}
