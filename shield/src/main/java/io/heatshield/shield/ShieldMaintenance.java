package io.heatshield.shield;

import io.heatshield.guard.AbsentKeys;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyText;
import io.heatshield.redis.BlockingConnection;
import io.heatshield.redis.RedisCallException;
import io.heatshield.redis.RedisUrl;
import io.heatshield.shield.command.UpstreamCommandTable;
import io.heatshield.shield.upstream.UpstreamServer;
import io.heatshield.shield.upstream.UpstreamServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background work of the shield: finds the servers, reads their commands, resolves addresses,
 * evicts stale values, and fills the filter of absent keys by SCAN.
 *
 * <p>It has its own thread, because it blocks.
 */
final class ShieldMaintenance implements Runnable, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ShieldMaintenance.class);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(1);
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int ROUNDS_PER_LOOKUP = 40;
  private static final String SCAN_COUNT = "1000";

  /** An upper bound on the number of keys, so that sums do not overflow. */
  private static final long MAX_KEYS = 1L << 40;

  /** The rounds until keys are counted again after there were too many, unless flushed. */
  private static final int ROUNDS_AFTER_OVERFLOW = 120;

  private final Shield shield;
  private final UpstreamServers upstream;
  private final RedisUrl url;
  private final Runnable onLearned;
  private final Thread thread;
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile boolean relearn = true;
  private volatile boolean closed;
  private int roundsUntilFill;
  private int resets;
  private String fault = "";

  ShieldMaintenance(Shield shield, UpstreamServers upstream, RedisUrl url, Runnable onLearned) {
    this.shield = shield;
    this.upstream = upstream;
    this.url = url;
    this.onLearned = onLearned;
    this.thread = new Thread(this, "shield of " + url);
    thread.setDaemon(true);
  }

  /** Starts, and waits at most one second for the upstream's commands. */
  void start() {
    upstream.start();
    thread.start();
    try {
      if (!tried.await(START_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("{} does not answer yet", url);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the commands again, because the upstream may have been replaced. */
  void relearn() {
    relearn = true;
  }

  @Override
  public void run() {
    boolean failing = false;
    for (int round = 1; !closed; round++) {
      try {
        runOnce(round % ROUNDS_PER_LOOKUP == 0);
        failing = false;
      } catch (RuntimeException e) {
        if (!closed && !failing) {
          log.error("maintenance of the shield of {} failed, will retry", url, e);
        }
        failing = true;
        relearn = true;
      }
      LockSupport.parkNanos(this, ROUND_NANOS);
    }
  }

  @Override
  public void close() {
    closed = true;
    upstream.close();
    LockSupport.unpark(thread);
  }

  private void runOnce(boolean lookUp) {
    if (lookUp) {
      upstream.resolve();
    }
    if (lookUp || upstream.wantsRefresh()) {
      upstream.refresh(REFRESH_TIMEOUT);
    }
    if (relearn) {
      relearn = false;
      learn();
      tried.countDown();
    }
    shield.protection().hotReplies().values().evictStale();
    AbsentKeys absentKeys = shield.protection().absentKeys();
    absentKeys.judge();
    int resetsNow = shield.protection().invalidation().resets();
    roundsUntilFill = resets == resetsNow ? Math.max(0, roundsUntilFill - 1) : 0;
    resets = resetsNow;
    boolean wanted = absentKeys.isOn() && !absentKeys.isComplete() && upstream.isDelivering();
    if (wanted && roundsUntilFill == 0) {
      fill(absentKeys);
    }
  }

  private void learn() {
    List<RedisUrl> servers = upstream.view().servers().stream().map(UpstreamServer::url).toList();
    try (BlockingConnection connection = BlockingConnection.openAny(servers, CALL_TIMEOUT)) {
      UpstreamCommandTable table = UpstreamCommandTable.of(connection.call("COMMAND"));
      if (!table.isSame(shield.commands())) {
        shield.onLearned(table);
        log.info("learned {} commands from {}", table.commands().size(), url);
      }
      onLearned.run();
      fault = "";
    } catch (RedisCallException e) {
      relearn = true;
      String why = KeyText.of(String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
      if (!why.equals(fault)) {
        log.warn("cannot read the commands of {}, no key is counted: {}", url, why);
      }
      fault = why;
    }
  }

  private void fill(AbsentKeys absentKeys) {
    var servers = new ArrayList<BlockingConnection>();
    try {
      for (UpstreamServer server : upstream.view().servers()) {
        servers.add(BlockingConnection.open(server.url(), CALL_TIMEOUT));
      }
      fill(absentKeys, servers);
    } catch (RedisCallException e) {
      log.debug("cannot list the keys of {}", url);
    } finally {
      servers.forEach(BlockingConnection::close);
    }
  }

  /** Fills the filter with all keys of all servers. */
  private void fill(AbsentKeys absentKeys, List<BlockingConnection> servers)
      throws RedisCallException {
    long keys = 0;
    for (BlockingConnection server : servers) {
      long held = server.call("DBSIZE") instanceof Long number ? Math.max(0, number) : 0;
      keys = Math.min(MAX_KEYS, keys + Math.min(MAX_KEYS, held));
    }
    AbsentKeys.Fill started = absentKeys.beginFill(keys).orElse(null);
    if (started == null) {
      roundsUntilFill = ROUNDS_AFTER_OVERFLOW;
      log.warn("no memory for a filter of {} keys: absent keys are not recognized", keys);
      return;
    }
    try (AbsentKeys.Fill fill = started) {
      boolean all = true;
      for (BlockingConnection server : servers) {
        all &= scan(server, fill, shield.protection().hash());
      }
      if (all && fill.finish()) {
        log.info("filter of absent keys is complete: {} keys", absentKeys.filter().size());
      }
    }
  }

  private static boolean scan(BlockingConnection server, AbsentKeys.Fill fill, KeyHash hash)
      throws RedisCallException {
    String cursor = "0";
    do {
      if (!(server.call("SCAN", cursor, "COUNT", SCAN_COUNT) instanceof List<?> parts)
          || parts.size() != 2
          || !(parts.get(0) instanceof byte[] next)
          || !(parts.get(1) instanceof List<?> keys)) {
        return false;
      }
      for (Object key : keys) {
        if (key instanceof byte[] bytes) {
          fill.add(hash.hash(bytes));
        }
      }
      cursor = new String(next, StandardCharsets.US_ASCII);
    } while (!cursor.equals("0"));
    return true;
  }
}
