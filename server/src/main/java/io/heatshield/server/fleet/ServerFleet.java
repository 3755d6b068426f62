package io.heatshield.server.fleet;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.FleetSettings;
import io.heatshield.config.Settings;
import io.heatshield.fleet.FleetAnswer;
import io.heatshield.fleet.FleetListener;
import io.heatshield.fleet.FleetNode;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeSnapshot;
import io.heatshield.fleet.Saved;
import io.heatshield.fleet.ScopeHeat;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.FleetSource;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WarnGate;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.runtime.health.Health;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.MachineName;
import io.heatshield.runtime.state.StateFolder;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's part in a fleet, with a thread and a way to Redis of its own: no request waits for
 * either.
 *
 * <p>The secret must be known before anything is counted, so it is opened first and started when
 * the scopes are there. Any thread may ask for the answer.
 */
public final class ServerFleet implements FleetSource {
  private static final Logger log = LoggerFactory.getLogger(ServerFleet.class);
  private static final Duration PATIENCE_AT_START = Duration.ofSeconds(2);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final FleetSettings settings;
  private final Redis redis;
  private final RedisBoard board;
  private final FleetSecret secrets;
  private final HashSecret secret;
  private final String node;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            var made = new Thread(task, "fleet");
            made.setDaemon(true);
            return made;
          });
  private volatile @Nullable FleetNode member;
  private String told = "";

  private ServerFleet(FleetSettings settings, Redis redis, StateFolder folder) throws IOException {
    this.settings = settings;
    this.redis = redis;
    this.board = new RedisBoard(redis, settings.name());
    this.secrets = new FleetSecret(folder, settings.name());
    this.node = NodeName.draw(settings.node());
    redis.awaitUp(PATIENCE_AT_START);
    this.secret = secrets.find(board);
  }

  /**
   * Connects and finds the fleet's secret; a Redis that does not answer is waited for a short while
   * only.
   *
   * @throws IOException if there is no way to such a Redis, or the secret cannot be kept
   */
  public static ServerFleet open(Settings all, FleetSettings settings, StateFolder folder)
      throws IOException {
    RedisUrl url = all.redis().url();
    if (url == null) {
      throw new IOException("fleet needs redis.url");
    }
    Duration tick = settings.interval().dividedBy(FleetNode.TICKS);
    Duration asked = all.redis().timeout();
    Redis redis;
    try {
      redis =
          Redis.builder(url.named(MachineName.ofConnection("fleet")))
              .budget(asked.compareTo(tick) > 0 ? asked : tick)
              .connections(1)
              .open();
    } catch (IllegalArgumentException e) {
      throw new IOException("redis.url: " + e.getMessage(), e);
    }
    try {
      return new ServerFleet(settings, redis, folder);
    } catch (IOException | RuntimeException e) {
      redis.close();
      throw e;
    }
  }

  /** Returns the secret that all keys must be hashed with. */
  public HashSecret secret() {
    return secret;
  }

  /** Begins to publish what the scopes count and to hand on what is hot in the fleet. */
  public void start(
      ServerScopes scopes,
      FleetHeat heat,
      Savings savings,
      Health health,
      Ticker ticker,
      Metrics metrics) {
    var turns = new FleetTurns(scopes, settings.name(), node, new WarnGate(ticker, LOG_INTERVAL));
    var listener =
        new FleetListener() {
          @Override
          public void viewed(FleetView view) {
            heat.take(view);
            turns.take(view);
          }

          @Override
          public void otherSecret(byte[] other) {
            secrets.keepOther(other);
          }
        };
    var joined =
        new FleetNode(
            node,
            secret,
            settings.interval(),
            ticker,
            board,
            sequence -> snapshot(sequence, scopes, savings, health),
            listener);
    member = joined;
    scopes.fleet(this);
    FleetMeters.bind(metrics, this, board, heat);
    long pause = settings.interval().toNanos() / FleetNode.TICKS;
    // The future never completes but by close: the task swallows its own failures.
    var unused =
        thread.scheduleAtFixedRate(() -> tick(joined, heat), 0, pause, TimeUnit.NANOSECONDS);
  }

  @Override
  public String fleet() {
    return settings.name();
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public FleetAnswer answer() {
    FleetNode joined = member;
    return joined == null ? FleetSource.NONE.answer() : joined.answer();
  }

  /** Leaves the fleet, so that nobody misses this node, and ends the way to Redis. */
  public void close(Duration deadline) {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("the fleet's thread did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    FleetNode joined = member;
    if (joined != null) {
      joined.leave();
    }
    redis.close();
  }

  private void tick(FleetNode joined, FleetHeat heat) {
    try {
      joined.tick();
      String alone = joined.answer().localOnly();
      if (!alone.isEmpty()) {
        heat.lose();
      }
      if (alone.isEmpty() != told.isEmpty()) {
        if (alone.isEmpty()) {
          log.info("the fleet {} is seen as a whole, by node {}", settings.name(), node);
        } else {
          log.warn(
              "the fleet {} is not seen, this node's numbers only: {}", settings.name(), alone);
        }
      }
      told = alone;
    } catch (RuntimeException e) {
      log.error("a tick of the fleet failed", e);
    }
  }

  private NodeSnapshot snapshot(
      long sequence, ServerScopes scopes, Savings savings, Health health) {
    var saved = new TreeMap<String, Saved>();
    for (Action.Snapshot one : savings.snapshot()) {
      var part =
          new Saved(
              one.name(), one.applied(), one.saved(), one.wouldHaveApplied(), one.wouldHaveSaved());
      saved.merge(one.name(), part, Saved::plus);
    }
    var amiss = new ArrayList<>(health.missing());
    amiss.addAll(health.warnings());
    return new NodeSnapshot(
        node,
        sequence,
        settings.interval().toMillis(),
        String.join("; ", amiss),
        0,
        List.copyOf(saved.values()),
        scopes.all().entrySet().stream()
            .map(scope -> ScopeHeat.of(scope.getKey(), scope.getValue()))
            .toList());
  }
}
