package io.heatshield.redis;

import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.Endpoint;
import io.heatshield.redis.connection.ReplicaException;
import io.heatshield.redis.connection.ServerConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Follows the master that sentinels watch, and calls listeners as soon as it is another server.
 *
 * <p>It subscribes to every sentinel and polls each once a second, so any of them may be down. Any
 * thread may call any method. Threads of the watcher call the listeners, one at a time.
 */
public final class SentinelWatcher implements AutoCloseable {
  /*
   * master     volatile; read before every connection, written under this before listeners run
   * outdated   volatile; set by any thread, cleared by the poller
   *
   * Sentinels report a fail-over one after the other, up to seconds apart. Each fail-over has a
   * higher configuration epoch than the one before. So the last report of the highest epoch counts,
   * also for a while after its sentinel was lost: a sentinel that lags behind never leads back to
   * the old master. Pinned by SentinelWatcherTest.
   *
   * A connection that is opened while the master changes is closed by the listener or by the thread
   * that opens it: that thread publishes the connection and then checks that its peer is still the
   * master; the watcher publishes the master and then calls the listeners.
   */
  private static final Logger LOG = LoggerFactory.getLogger(SentinelWatcher.class);
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final RedisUrl url;
  private final ClientSettings settings;
  private final List<Sentinel> sentinels;
  private final List<Consumer<Address>> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch known = new CountDownLatch(1);
  private final Thread poller;
  private volatile @Nullable Address master;
  private volatile boolean outdated;
  private volatile boolean closed;

  SentinelWatcher(RedisUrl url, ClientSettings settings) {
    this.url = url;
    this.settings = settings;
    this.sentinels =
        url.hosts().stream()
            .map(host -> new Sentinel(host, url.master(), settings, this::update))
            .toList();
    this.poller = new Thread(this::poll, "poll of " + url);
    poller.setDaemon(true);
  }

  /**
   * Returns a watcher that is not started.
   *
   * @param listener called with the URL of each master, the first one included
   */
  public static SentinelWatcher of(
      RedisUrl url, Duration connectTimeout, Consumer<RedisUrl> listener) {
    var watcher =
        new SentinelWatcher(url, Redis.builder(url).connectTimeout(connectTimeout).settings());
    watcher.listeners.add(address -> listener.accept(url.at(address)));
    return watcher;
  }

  /** Begins to connect to the sentinels; does not wait. */
  public void start() {
    sentinels.forEach(Sentinel::start);
    poller.start();
  }

  /** Waits until the master is known; returns false if that takes longer than the given time. */
  public boolean awaitKnown(Duration most) {
    try {
      return known.await(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Polls all sentinels soon, because the master may have changed. */
  public void refresh() {
    outdated = true;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(poller);
    sentinels.forEach(Sentinel::close);
  }

  /** Returns the endpoint of the master, whichever server that is. */
  Endpoint master() {
    return new Endpoint() {
      @Override
      public Address find() {
        return SentinelWatcher.this.find();
      }

      @Override
      public void verify(ServerConnection connection) {
        SentinelWatcher.this.verify(connection);
      }

      @Override
      public void onSwitch(Consumer<Address> listener) {
        listeners.add(listener);
      }

      @Override
      public void refresh() {
        SentinelWatcher.this.refresh();
      }
    };
  }

  /** Returns the endpoint of one server, which must be a master. */
  Endpoint masterAt(Address server) {
    return new Endpoint() {
      @Override
      public Address find() {
        return server;
      }

      @Override
      public void verify(ServerConnection connection) {
        SentinelWatcher.this.verify(connection);
      }
    };
  }

  /**
   * Checks that a server says it is a master. If the user is not permitted to ask, the sentinels
   * are believed.
   *
   * @throws ReplicaException if it is a replica
   */
  private void verify(ServerConnection connection) {
    Object role;
    try {
      role = connection.call(Protocol.Command.ROLE);
    } catch (JedisDataException refused) {
      LOG.debug("{} refuses ROLE", connection.peer());
      return;
    }
    if (role instanceof List<?> words
        && !words.isEmpty()
        && words.get(0) instanceof byte[] word
        && Sentinel.text(word).equals("slave")) {
      refresh();
      throw new ReplicaException(connection.peer());
    }
  }

  private Address find() {
    Address now = master;
    if (now == null && awaitKnown(Duration.ofNanos(settings.connectNanos()))) {
      now = master;
    }
    if (now == null) {
      throw new JedisConnectionException("no sentinel knows the master");
    }
    return now;
  }

  /** Chooses the master by the last reports of all sentinels. */
  private synchronized void update() {
    Address before = master;
    Sentinel.Report best = null;
    for (Sentinel sentinel : sentinels) {
      Sentinel.Report report = sentinel.report();
      boolean better =
          report != null
              && (best == null
                  || report.epoch() > best.epoch()
                  || (report.epoch() == best.epoch() && report.master().equals(before)));
      best = better ? report : best;
    }
    if (best == null || best.master().equals(before) || closed) {
      return;
    }
    master = best.master();
    if (before != null) {
      LOG.warn("master of {} is now {}, was {}: ending its connections", url, master, before);
    }
    for (Consumer<Address> listener : listeners) {
      try {
        listener.accept(best.master());
      } catch (RuntimeException | Error e) {
        LOG.error("listener for the master of {} threw", url, e);
      }
    }
    known.countDown();
  }

  private void poll() {
    while (!closed) {
      outdated = false;
      sentinels.forEach(Sentinel::poll);
      long start = System.nanoTime();
      do {
        LockSupport.parkNanos(this, MIN_PAUSE_NANOS);
      } while (!closed && !outdated && System.nanoTime() - start < POLL_NANOS);
    }
  }
}
