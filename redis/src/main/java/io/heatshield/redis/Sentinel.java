package io.heatshield.redis;

import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.ServerConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** One sentinel: the thread that subscribes to it, and its last report of the master. */
final class Sentinel {
  /*
   * report, lost, lostAt   volatile; written by the thread, read by the watcher
   * events                 volatile; written by the thread, other threads only send pings on it
   *
   * A subscribed connection takes no other commands, so a second one asks for the master. Whatever
   * arrives on the first, an event or the reply to a ping, is a reason to ask. So the poll needs no
   * timer of its own, and silence is a lost connection.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Sentinel.class);
  private static final int SILENCE_MILLIS = 3000;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Which server is the master.
   *
   * @param epoch the configuration epoch, higher for every fail-over
   */
  record Report(Address master, long epoch) {}

  private final Address address;
  private final String masterName;
  private final ClientSettings settings;
  private final Runnable onReport;
  private final Thread thread;
  private volatile @Nullable Report report;
  private volatile @Nullable ServerConnection events;
  private volatile boolean lost;
  private volatile long lostAt;
  private volatile boolean closed;

  /**
   * Creates a sentinel that is not started.
   *
   * @param onReport called after every report
   */
  Sentinel(Address address, String masterName, ClientSettings settings, Runnable onReport) {
    this.address = address;
    this.masterName = masterName;
    this.settings = settings;
    this.onReport = onReport;
    this.thread = new Thread(this::run, "sentinel " + address);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Returns the last report, or null if there is none or the sentinel was lost 30 s ago. */
  @Nullable Report report() {
    boolean old = lost && System.nanoTime() - lostAt > REMEMBERED_NANOS;
    return old ? null : report;
  }

  /** Requests another report. */
  void poll() {
    ServerConnection present = events;
    if (present != null) {
      try {
        present.sendCommand(Protocol.Command.PING);
        present.flush();
      } catch (RuntimeException | Error e) {
        present.abort();
      }
    }
  }

  void close() {
    closed = true;
    drop();
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      try (ServerConnection queries = settings.sentinels().open(address)) {
        listen(queries);
      } catch (RuntimeException | Error e) {
        if (!closed && !lost) {
          LOG.warn("sentinel {} cannot be reached", address);
          lostAt = System.nanoTime();
          lost = true;
        }
      } finally {
        drop();
      }
      if (!closed) {
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
  }

  private void listen(ServerConnection queries) {
    try (ServerConnection subscribed = settings.sentinels().open(address)) {
      subscribed.setSoTimeout(SILENCE_MILLIS);
      subscribed.sendCommand(Protocol.Command.SUBSCRIBE, "+switch-master", "+promoted-slave");
      subscribed.flush();
      events = subscribed;
      while (!closed) {
        subscribed.read();
        report = query(queries);
        lost = false;
        onReport.run();
      }
    }
  }

  /** Asks for the master; returns null if the sentinel does not know it. */
  private @Nullable Report query(ServerConnection connection) {
    connection.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", masterName);
    connection.sendCommand(Protocol.Command.SENTINEL, "MASTER", masterName);
    connection.flush();
    Object where = connection.read();
    Object details;
    try {
      details = connection.read();
    } catch (JedisDataException unknown) {
      return null;
    }
    if (where instanceof List<?> reply
        && reply.size() == 2
        && reply.get(0) instanceof byte[] host
        && reply.get(1) instanceof byte[] port) {
      try {
        return new Report(Address.ofRedirection(text(host) + ":" + text(port)), epoch(details));
      } catch (IllegalArgumentException e) {
        throw new JedisConnectionException("not the reply of a sentinel");
      }
    }
    return null;
  }

  private static long epoch(@Nullable Object details) {
    if (details instanceof List<?> pairs) {
      for (int i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs.get(i) instanceof byte[] field
            && text(field).equals("config-epoch")
            && pairs.get(i + 1) instanceof byte[] number) {
          return Long.parseLong(text(number));
        }
      }
    }
    return 0;
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void drop() {
    ServerConnection present = events;
    if (present != null) {
      present.abort();
      events = null;
    }
  }
}
