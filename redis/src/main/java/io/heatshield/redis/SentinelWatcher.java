package io.heatshield.redis;

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
 * <p>Every sentinel is listened to and polled each second, so any of them may be down. Any thread
 * may call any method. Listeners are called one at a time by threads of the watcher.
 */
public final class SentinelWatcher implements AutoCloseable {
  /*
   * master     read: volatile, before every connection   written under this, before listeners run
   * asked      set by any thread, cleared by the poller
   *
   * Sentinels learn of a fail-over one after the other, up to seconds apart. Each fail-over has a
   * higher configuration epoch than the one before, so the last answer of the highest epoch counts,
   * also for a while after its sentinel was lost: a sentinel that lags behind never leads back to
   * the old master. Pinned by SentinelWatcherTest.
   *
   * A connection that is made while the master changes is ended by the listener or by its maker:
   * the maker publishes the connection and then checks that its peer is still the master; the
   * watcher publishes the master and then calls the listeners.
   */
  private static final Logger LOG = LoggerFactory.getLogger(SentinelWatcher.class);
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final RedisUrl url;
  private final Settings settings;
  private final List<Sentinel> sentinels;
  private final List<Consumer<Address>> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch known = new CountDownLatch(1);
  private final Thread poller;
  private volatile @Nullable Address master;
  private volatile boolean asked;
  private volatile boolean closed;

  SentinelWatcher(RedisUrl url, Settings settings) {
    this.url = url;
    this.settings = settings;
    this.sentinels =
        url.hosts().stream()
            .map(host -> new Sentinel(host, url.master(), settings, this::decide))
            .toList();
    this.poller = new Thread(this::poll, "poll of " + url);
    poller.setDaemon(true);
  }

  /**
   * Returns a watcher of the master that the sentinels of an address watch, not started yet.
   *
   * @param listener called with the address of each master, the first one included
   */
  public static SentinelWatcher of(
      RedisUrl url, Duration connectTimeout, Consumer<RedisUrl> listener) {
    Settings settings = Settings.of(Redis.builder(url).connectTimeout(connectTimeout));
    var watcher = new SentinelWatcher(url, settings);
    watcher.listeners.add(address -> listener.accept(url.at(address)));
    return watcher;
  }

  /** Begins to listen to the sentinels; does not wait. */
  public void start() {
    sentinels.forEach(Sentinel::start);
    poller.start();
  }

  /** Waits until the master is known; returns false if it is not in that time. */
  public boolean awaitKnown(Duration most) {
    try {
      return known.await(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Asks all sentinels again at once, because the master may be another one. */
  public void ask() {
    asked = true;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(poller);
    sentinels.forEach(Sentinel::close);
  }

  /** Returns the endpoint that is at every moment the present master. */
  Endpoint endpoint() {
    return new Endpoint() {
      @Override
      public Address find() {
        return present();
      }

      @Override
      public void verify(Link link) {
        verifyMaster(link);
      }

      @Override
      public void onSwitch(Consumer<Address> listener) {
        listeners.add(listener);
      }

      @Override
      public void doubt() {
        ask();
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
      public void verify(Link link) {
        verifyMaster(link);
      }
    };
  }

  /**
   * Checks that a server calls itself a master. If the user may not ask for that, the word of the
   * sentinels counts.
   *
   * @throws ReplicaException if it is a replica
   */
  private void verifyMaster(Link link) {
    link.sendCommand(Protocol.Command.ROLE);
    link.send();
    Object role;
    try {
      role = link.next();
    } catch (JedisDataException refused) {
      LOG.debug("{} does not tell its role", link.peer());
      return;
    }
    if (role instanceof List<?> words
        && !words.isEmpty()
        && words.get(0) instanceof byte[] word
        && Sentinel.text(word).equals("slave")) {
      ask();
      throw new ReplicaException(link.peer());
    }
  }

  private Address present() {
    Address now = master;
    if (now == null && awaitKnown(Duration.ofNanos(settings.connectNanos()))) {
      now = master;
    }
    if (now == null) {
      throw new JedisConnectionException("no sentinel knows the master");
    }
    return now;
  }

  /** Chooses the master by the last answers of all sentinels. */
  private synchronized void decide() {
    Address before = master;
    Sentinel.Answer best = null;
    for (Sentinel sentinel : sentinels) {
      Sentinel.Answer answer = sentinel.answer();
      boolean better =
          answer != null
              && (best == null
                  || answer.epoch() > best.epoch()
                  || (answer.epoch() == best.epoch() && answer.master().equals(before)));
      best = better ? answer : best;
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
      asked = false;
      sentinels.forEach(Sentinel::poll);
      long start = System.nanoTime();
      do {
        LockSupport.parkNanos(this, LEAST_PAUSE_NANOS);
      } while (!closed && !asked && System.nanoTime() - start < POLL_NANOS);
    }
  }
}
