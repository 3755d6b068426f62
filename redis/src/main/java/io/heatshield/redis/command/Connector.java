package io.heatshield.redis.command;

import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.Endpoint;
import io.heatshield.redis.connection.ReplicaException;
import io.heatshield.redis.connection.ServerConnection;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The connection of one lane: opens it, checks that the server answers, and closes it.
 *
 * <p>The lane's thread calls most methods; those that say so may be called by any thread.
 */
final class Connector {
  /*
   * connection, busySince   volatile; written by the lane's thread, read by the timer
   * suspect                 volatile; set by both, cleared by the lane's thread before it pings
   *
   * The timer closes the connection of a call that takes too long. It may hit the call after it,
   * whose commands then fail as ambiguous: an early end, never a wrong answer. See ADR 23.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
  private static final long NOT_BUSY = 0;

  private final String name;
  private final Endpoint endpoint;
  private final Breaker breaker;
  private final Route route;
  private final ClientSettings settings;
  private volatile @Nullable ServerConnection connection;
  private volatile long busySince = NOT_BUSY;
  private volatile boolean suspect;
  private @Nullable Address lastPeer;

  Connector(String name, Endpoint endpoint, Breaker breaker, Route route, ClientSettings settings) {
    this.name = name;
    this.endpoint = endpoint;
    this.breaker = breaker;
    this.route = route;
    this.settings = settings;
  }

  /** Returns whether there is a connection; any thread may call this. */
  boolean isConnected() {
    return connection != null;
  }

  /** Returns the connection, or null if none can be made; a suspect one must answer a ping. */
  @Nullable ServerConnection connection() {
    if (suspect) {
      suspect = false;
      if (!ping() || !retryName()) {
        drop();
      }
    }
    ServerConnection present = connection;
    if (present != null && present.isUnusable()) {
      LOG.warn("{}: the server closed the connection or sent data without a request", name);
      drop();
    }
    return connection != null || connect() ? connection : null;
  }

  /** Connects unless connected, and returns whether the server answers a ping. */
  boolean probe() {
    return (connection != null || connect()) && ping();
  }

  /** Requires a ping before the connection is used again; any thread may call this. */
  void suspect() {
    suspect = true;
  }

  /** Marks the beginning of a call and returns its time; {@link #callEnded} must follow. */
  long callStarted() {
    long now = System.nanoTime();
    busySince = now == NOT_BUSY ? 1 : now;
    return now;
  }

  void callEnded() {
    busySince = NOT_BUSY;
  }

  /** Closes the connection if its call takes too long; for the timer. */
  void abortIfStuck(long now) {
    long since = busySince;
    if (since != NOT_BUSY && now - since > settings.pipelineNanos()) {
      abort();
    }
  }

  /** Closes a connection to another server; returns whether there was one. Any thread may call. */
  boolean abortUnlessTo(Address server) {
    ServerConnection present = connection;
    if (present == null || present.peer().equals(server)) {
      return false;
    }
    present.abort();
    return true;
  }

  /** Closes the connection immediately; any thread may call this. */
  void abort() {
    ServerConnection present = connection;
    if (present != null) {
      present.abort();
    }
  }

  /** Closes and forgets the connection. */
  void drop() {
    abort();
    connection = null;
  }

  /** Returns whether the server answers, and within the time budget of a command. */
  boolean ping() {
    ServerConnection present = connection;
    if (present == null) {
      return false;
    }
    long start = callStarted();
    try {
      return present.ping() && System.nanoTime() - start <= settings.budgetNanos();
    } catch (JedisDataException e) {
      return false;
    } catch (RuntimeException e) {
      drop();
      return false;
    } finally {
      callEnded();
    }
  }

  /** Drops the connection because a call on it failed. */
  void onLost(RuntimeException e) {
    drop();
    LOG.warn("{}: connection lost: {}", name, reason(e));
  }

  /** Sets the name of a connection that was opened while the server was busy. */
  private boolean retryName() {
    try {
      ServerConnection present = connection;
      if (present != null) {
        present.retryName();
      }
      return present != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Connects, and returns whether the server executes commands. */
  private boolean connect() {
    ServerConnection opened = null;
    try {
      opened = settings.data().open(endpoint.find());
      boolean busy = isBusy(opened);
      if (busy) {
        // Before the connection is visible, so that the server does not seem to be up meanwhile.
        // The circuit breaker's probes use the connection.
        onUnusable("the server is busy");
      } else {
        endpoint.verify(opened);
      }
      use(opened);
      return !busy;
    } catch (RuntimeException e) {
      if (opened != null) {
        opened.abort();
      }
      connection = null;
      onUnusable("cannot connect: " + reason(e));
      return false;
    }
  }

  private static boolean isBusy(ServerConnection opened) {
    try {
      opened.ping();
      return false;
    } catch (JedisDataException e) {
      if (ServerConnection.isBusy(e)) {
        return true;
      }
      throw e;
    }
  }

  /** Publishes a connection, unless the master has changed while it was opened. */
  private void use(ServerConnection opened) {
    opened.setSoTimeout(ClientSettings.millis(settings.pipelineNanos()));
    if (lastPeer != null && !lastPeer.equals(opened.peer())) {
      route.onServerSwitch();
    }
    lastPeer = opened.peer();
    connection = opened;
    if (!endpoint.find().equals(opened.peer())) {
      throw new JedisConnectionException("the master has changed");
    }
    settings.counters().connects.increment();
  }

  private void onUnusable(String why) {
    if (!breaker.isOpen()) {
      LOG.warn("{}: {}", name, why);
    }
    breaker.trip();
    route.refresh();
  }

  private static String reason(RuntimeException e) {
    if (ServerConnection.isBusy(e)) {
      return "the server replies " + ServerConnection.errorCode(String.valueOf(e.getMessage()));
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    if (cause instanceof SocketTimeoutException) {
      return "no answer in time";
    }
    if (cause instanceof ReplicaException) {
      return "the server is a replica";
    }
    return cause instanceof SocketException && cause.getMessage() != null
        ? cause.getMessage().toLowerCase(Locale.ROOT)
        : cause.getClass().getSimpleName();
  }
}
