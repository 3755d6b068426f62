package io.heatshield.server.fleet;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.FleetSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.fleet.FleetAnswer;
import io.heatshield.fleet.FleetListener;
import io.heatshield.fleet.FleetNode;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeSnapshot;
import io.heatshield.fleet.Saved;
import io.heatshield.fleet.ScopeHeat;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.FleetSource;
import io.heatshield.insight.scope.LogThrottle;
import io.heatshield.insight.scope.ServerScopes;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fleet node of this process, with its own thread and its own connection to Redis, so that no
 * request waits for either.
 *
 * <p>The secret must be known before anything is counted, so the fleet is opened first and started
 * once the scopes exist. {@link #answer} may be called by any thread.
 */
public final class ServerFleet implements FleetSource {
  private static final Logger log = LoggerFactory.getLogger(ServerFleet.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final FleetSettings settings;
  private final Redis redis;
  private final RedisExchange exchange;
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
  private String lastReason = "";

  private ServerFleet(FleetSettings settings, Redis redis, StateFolder folder) throws IOException {
    this.settings = settings;
    this.redis = redis;
    this.exchange = new RedisExchange(redis, settings.name());
    this.secrets = new FleetSecret(folder, settings.name());
    this.node = NodeName.generate(settings.node());
    redis.awaitUp(START_TIMEOUT);
    this.secret = secrets.find(exchange);
  }

  /**
   * Connects to Redis, for which it waits briefly, and reads the fleet's secret.
   *
   * @throws IOException if the secret is invalid or cannot be saved
   */
  public static ServerFleet open(Settings all, FleetSettings settings, StateFolder folder)
      throws IOException {
    RedisUrl url = Objects.requireNonNull(all.redis().url(), "redis.url");
    Duration tick = settings.interval().dividedBy(FleetNode.TICKS);
    Duration timeout = all.redis().timeout();
    Redis redis =
        Redis.builder(url.named(MachineName.ofConnection("fleet")))
            .budget(timeout.compareTo(tick) > 0 ? timeout : tick)
            .connections(1)
            .open();
    try {
      return new ServerFleet(settings, redis, folder);
    } catch (IOException | RuntimeException e) {
      redis.close();
      throw e;
    }
  }

  /** Returns the secret of the fleet's hash function. */
  public HashSecret secret() {
    return secret;
  }

  /** Starts publishing the counts of the scopes and applying the fleet's hot keys. */
  public void start(
      ServerScopes scopes,
      FleetProtection protection,
      Savings savings,
      Health health,
      Ticker ticker,
      Metrics metrics) {
    var events =
        new FleetEvents(scopes, settings.name(), node, new LogThrottle(ticker, LOG_INTERVAL));
    var listener =
        new FleetListener() {
          @Override
          public void viewed(FleetView view) {
            protection.apply(view);
            events.update(view);
          }

          @Override
          public void otherSecret(byte[] other) {
            secrets.saveOther(other);
          }
        };
    var joined =
        new FleetNode(
            node,
            secret,
            settings.interval(),
            ticker,
            exchange,
            sequence -> snapshot(sequence, scopes, savings, health),
            listener);
    member = joined;
    scopes.fleet(this);
    FleetMeters.bind(metrics, this, exchange, protection);
    long pause = settings.interval().toNanos() / FleetNode.TICKS;
    // The task never throws, so the future completes only by close.
    var unused =
        thread.scheduleAtFixedRate(() -> tick(joined, protection), 0, pause, TimeUnit.NANOSECONDS);
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

  /** Leaves the fleet, so that this node is not reported as missing, and closes the connection. */
  public void close(Duration deadline) {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("the fleet thread did not stop in time");
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

  private void tick(FleetNode joined, FleetProtection protection) {
    try {
      joined.tick();
      String reason = joined.answer().localOnly();
      if (!reason.isEmpty()) {
        protection.clear();
      }
      if (reason.isEmpty() != lastReason.isEmpty()) {
        if (reason.isEmpty()) {
          log.info("fleet {} is available, this is node {}", settings.name(), node);
        } else {
          log.warn(
              "fleet {} is unavailable, reporting only the counts of this node: {}",
              settings.name(),
              reason);
        }
      }
      lastReason = reason;
    } catch (RuntimeException e) {
      log.error("fleet update failed, will retry", e);
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
    var problems = new ArrayList<>(health.missing());
    problems.addAll(health.warnings());
    return new NodeSnapshot(
        node,
        sequence,
        settings.interval().toMillis(),
        String.join("; ", problems),
        0,
        List.copyOf(saved.values()),
        scopes.all().entrySet().stream()
            .map(scope -> ScopeHeat.of(scope.getKey(), scope.getValue()))
            .toList());
  }
}
