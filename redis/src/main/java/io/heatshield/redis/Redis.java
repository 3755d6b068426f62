package io.heatshield.redis;

import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.command.Command;
import io.heatshield.redis.command.DeadlineTimer;
import io.heatshield.redis.command.Route;
import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.RedisStats;
import io.heatshield.redis.script.Script;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client of a Redis server, a master that sentinels watch, or a cluster.
 *
 * <p>Any thread may call any method, event loops included: only {@link #awaitUp} and {@link #close}
 * block. Every command has exactly one outcome, its count or a {@link RedisException}, at the
 * latest about its time budget after it was submitted. A command of which a byte was written is
 * never written again; if its reply is lost, it fails as {@linkplain Failure#isAmbiguous
 * ambiguous}. Commands on one key are executed in the order of their submission.
 *
 * <p>Sinks are called by the client's threads, or by the caller's if a command fails immediately.
 */
public final class Redis implements AutoCloseable {
  private final RedisUrl url;
  private final ClientSettings settings;
  private final Route route;
  private final DeadlineTimer timer;
  private volatile boolean closed;

  Redis(RedisUrl url, ClientSettings settings) {
    this.url = url;
    this.settings = settings;
    if (isCluster()) {
      var cluster = new ClusterRoute(url.hosts(), settings);
      cluster.start();
      route = cluster;
    } else {
      var single = new SingleRoute(url, settings);
      single.start();
      route = single;
    }
    timer = new DeadlineTimer(route, settings);
    timer.start();
  }

  /** Returns a builder of a client. */
  public static RedisBuilder builder(RedisUrl url) {
    return new RedisBuilder(url);
  }

  /**
   * Executes a script on one key. The reply must be an integer of 0 or more, unless the sink
   * accepts any reply; otherwise the connection is closed.
   *
   * @param arguments the script's ARGV; neither they nor the key may be changed afterwards
   */
  public void eval(Script script, byte[] key, byte[][] arguments, CountSink sink) {
    evalLate(script, key, arguments, 0, sink);
  }

  /**
   * Executes a script as {@link #eval} does, with a time budget that is partly used.
   *
   * @param lateNanos the used part, 0 or more; the command fails if nothing is left
   */
  public void evalLate(
      Script script, byte[] key, byte[][] arguments, long lateNanos, CountSink sink) {
    settings.counters().commands.increment();
    long left = settings.budgetNanos() - lateNanos;
    long deadline = System.nanoTime() + left;
    boolean late = lateNanos > 0;
    var command = new Command(script, key, arguments, deadline, late, settings.counters(), sink);
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

  /** Returns whether two keys are always on the same server, even when slots move. */
  public boolean shareServer(byte[] one, byte[] other) {
    return !isCluster() || Masters.slotOf(one) == Masters.slotOf(other);
  }

  /**
   * Returns one key for each server: a script on that key runs there, unless slots move. Empty if
   * the servers of a cluster are not known yet.
   */
  public List<byte[]> serverKeys() {
    return route instanceof ClusterRoute cluster ? cluster.serverKeys() : List.of(new byte[0]);
  }

  /**
   * Subscribes a listener to all changes of keys, on a connection of its own.
   *
   * @param prefix the prefix of the keys
   * @throws IllegalStateException for a cluster, in which no single server knows all changes
   */
  public Invalidations invalidations(byte[] prefix, Invalidations.Listener listener) {
    if (!(route instanceof SingleRoute single)) {
      throw new IllegalStateException("a cluster has no single server that knows all changes");
    }
    return new Invalidations(url.toString(), single.endpoint(), settings, prefix, listener).start();
  }

  /**
   * Adds a listener that is called when commands go to another master than before, before any is
   * sent there. The new master may lack writes that the old one acknowledged, deletions included.
   * Threads of the client call it; it must not block.
   */
  public void onMasterSwitch(Runnable listener) {
    if (route instanceof SingleRoute single) {
      single.addSwitchListener(listener);
    }
  }

  /** Returns whether all servers are connected and answer. */
  public boolean isUp() {
    return !closed && route.isUp();
  }

  /** Waits until {@link #isUp}; returns false if that takes longer than the given time. */
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

  /** Returns the totals since the client was created. */
  public RedisStats stats() {
    return settings.counters().snapshot();
  }

  /** Closes all connections; every pending command has its outcome before this returns. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      timer.close();
      route.close();
    }
  }

  /** Returns the URL without credentials. */
  @Override
  public String toString() {
    return url.toString();
  }
}
