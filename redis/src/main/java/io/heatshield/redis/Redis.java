package io.heatshield.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The way to a Redis, a master that sentinels watch, or a cluster.
 *
 * <p>Any thread may call any method, an event loop among them: only {@link #awaitUp} and {@link
 * #close} wait. Every command is answered once: by its count or by a {@link RedisException}, about
 * its time budget after it was submitted at the latest. A command of which a byte was written is
 * never written again; if its answer is lost, it fails as {@linkplain Failure#isAmbiguous
 * ambiguous}. Commands on one key are executed in the order of their submission.
 *
 * <p>Sinks are called by the threads of the client, or by the caller's when a command fails at
 * once.
 */
public final class Redis implements AutoCloseable {
  private final RedisUrl url;
  private final Settings settings;
  private final Route route;
  private final Deadlines deadlines;
  private volatile boolean closed;

  Redis(RedisBuilder builder) {
    url = builder.url;
    settings = Settings.of(builder);
    if (url.kind() == RedisUrl.Kind.CLUSTER) {
      var cluster = new ClusterRoute(url.hosts(), settings);
      cluster.start();
      route = cluster;
    } else {
      var single = new SingleRoute(url, settings);
      single.start();
      route = single;
    }
    deadlines = new Deadlines(route, settings);
    deadlines.start();
  }

  /** Returns a builder of a client. */
  public static RedisBuilder builder(RedisUrl url) {
    return new RedisBuilder(url);
  }

  /**
   * Executes a script on one key. Its reply must be an integer of 0 or more, unless the sink takes
   * any; otherwise it ends the connection.
   *
   * @param arguments given to the script as ARGV; neither they nor the key may be changed later
   */
  public void eval(Script script, byte[] key, byte[][] arguments, CountSink sink) {
    evalLate(script, key, arguments, 0, sink);
  }

  /**
   * Executes a script as {@link #eval} does, for who has waited already: that is taken off the time
   * budget.
   *
   * @param lateNanos 0 or more; a budget or more leaves no time to send it
   */
  public void evalLate(
      Script script, byte[] key, byte[][] arguments, long lateNanos, CountSink sink) {
    settings.tally().commands.increment();
    long left = settings.budgetNanos() - lateNanos;
    long deadline = settings.ticker().nanos() + left;
    Tally tally = settings.tally();
    var command = new Command(script, key, arguments, deadline, lateNanos > 0, tally, sink);
    if (closed) {
      command.giveUp(Failure.CLOSED);
    } else if (left <= 0) {
      command.giveUp(Failure.NOT_SENT_IN_TIME);
    } else {
      route.submit(command);
    }
  }

  /** Returns whether keys are spread over several servers. */
  public boolean isCluster() {
    return url.kind() == RedisUrl.Kind.CLUSTER;
  }

  /** Returns whether two keys lie on the same server, whatever moves. */
  public boolean shareServer(byte[] one, byte[] other) {
    return !isCluster() || JedisClusterCRC16.getSlot(one) == JedisClusterCRC16.getSlot(other);
  }

  /**
   * Returns a key for each server: a script that is given it runs there, unless slots move. None if
   * the servers of a cluster are not known yet.
   */
  public List<byte[]> serverKeys() {
    return route instanceof ClusterRoute cluster ? cluster.serverKeys() : List.of(new byte[0]);
  }

  /**
   * Begins to tell a listener which keys anybody changes, on a connection of its own.
   *
   * @param prefix what those keys begin with
   * @throws IllegalStateException for a cluster, which has no one server that knows
   */
  public Invalidations invalidations(byte[] prefix, Invalidations.Listener listener) {
    if (!(route instanceof SingleRoute single)) {
      throw new IllegalStateException("a cluster has no one server that knows all changes");
    }
    return new Invalidations(url.toString(), single.endpoint(), settings, prefix, listener).start();
  }

  /**
   * Calls a listener when commands go to another master than before, before any is sent there. The
   * new master may lack writes that the old one acknowledged, deletions among them. Threads of the
   * client call it; it must not block.
   */
  public void onMasterSwitch(Runnable listener) {
    if (route instanceof SingleRoute single) {
      single.onMove(listener);
    }
  }

  /** Returns whether all servers are connected and answer. */
  public boolean isUp() {
    return !closed && route.isUp();
  }

  /**
   * Waits until {@link #isUp}, for a start that wants to know.
   *
   * @return false if it is not up in that time
   */
  public boolean awaitUp(Duration most) {
    long deadline = System.nanoTime() + most.toNanos();
    while (!isUp()) {
      if (closed || System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(2));
    }
    return true;
  }

  /** Returns what was done so far. */
  public RedisStats stats() {
    return settings.tally().snapshot();
  }

  /** Ends all connections; every command that waits is answered before this returns. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      deadlines.close();
      route.close();
    }
  }

  /** Returns the address, without user and password. */
  @Override
  public String toString() {
    return url.toString();
  }
}
