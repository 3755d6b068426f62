package io.heatshield.shield;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.data.DataCounters;
import io.heatshield.data.DataLimits;
import io.heatshield.data.RespPort;
import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.ContextSource;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.guard.FleetHotKeys;
import io.heatshield.guard.GuardContext;
import io.heatshield.insight.explain.KeySource;
import io.heatshield.insight.explain.ScopeKind;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.redis.RedisUrl;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.MachineName;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.telemetry.Tracing;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.shield.command.UpstreamCommandTable;
import io.heatshield.shield.upstream.UpstreamServers;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy in front of a Redis that protects its hot keys; the part that all clients share.
 * Thread-safe.
 */
public final class Shield implements AutoCloseable {
  /** The scope in which the keys of the upstream are counted. */
  public static final String SCOPE = "shield";

  private static final Logger log = LoggerFactory.getLogger(Shield.class);

  private final AtomicLong clients = new AtomicLong();
  private final ShieldSettings settings;
  private final Ticker ticker;
  private final HotKeyDetector detector;
  private final FleetHotKeys fleet;
  private final KeyProtection protection;
  private final UpstreamServers upstream;
  private final ShieldMaintenance maintenance;
  private final DataCounters counters = new DataCounters();
  private final HotContexts contexts;
  private volatile UpstreamCommandTable commands = UpstreamCommandTable.empty();
  private volatile @Nullable Tracing tracing;

  private Shield(
      ShieldSettings settings,
      ServerScopes scopes,
      Savings savings,
      Clock clock,
      Ticker ticker,
      Runnable onLearned)
      throws IOException {
    this.settings = settings;
    this.ticker = ticker;
    this.detector = scopes.open(SCOPE);
    this.fleet = new FleetHotKeys(detector.keyHash());
    var guard =
        new GuardContext(
            SCOPE, scopes.secret(), ticker, savings, fleet, what -> log.warn("shield: {}", what));
    RedisUrl url = settings.url().named(MachineName.ofConnection(SCOPE));
    upstream = new UpstreamServers(url, settings.timeout(), ticker, this::onReport);
    maintenance = new ShieldMaintenance(this, upstream, url, onLearned);
    protection = KeyProtection.of(guard, settings, upstream);
    contexts = new HotContexts(detector, clock, ticker);
    savings.effects(SCOPE, contexts);
  }

  /**
   * Opens a shield; waits at most one second for the upstream.
   *
   * @param onLearned is run when the upstream has described its commands
   * @throws IOException if the settings cannot work
   */
  public static Shield open(
      ShieldSettings settings,
      ServerScopes scopes,
      Savings savings,
      Metrics metrics,
      Clock clock,
      Ticker ticker,
      Runnable onLearned)
      throws IOException {
    var shield = new Shield(settings, scopes, savings, clock, ticker, onLearned);
    shield.bind(metrics);
    shield.maintenance.start();
    return shield;
  }

  private void bind(Metrics metrics) {
    protection.bind(metrics);
    metrics.gauge(
        "shield.tracking.up",
        "1 if invalidations of the upstream arrive, so that reads may be answered from memory",
        () -> upstream.isDelivering() ? 1 : 0);
  }

  /** Returns the port of the shield, not yet started. */
  public RespPort port(Transport transport, InetSocketAddress address, @Nullable TlsMaterial tls) {
    DataLimits limits = DataLimits.defaults();
    return new RespPort(
        transport,
        address,
        tls,
        limits,
        counters,
        ticker,
        held -> new ShieldConnection(this, transport, limits, held));
  }

  /** Traces commands from now on. */
  public void trace(Tracing next) {
    tracing = next;
  }

  /** Changes the settings that may change while the server runs. */
  public void retune(ShieldSettings next) {
    protection.tune(next);
  }

  /**
   * Replaces the keys that are hot in the whole fleet: their values are kept from the first read
   * on, and their writes are limited to this node's share.
   *
   * @param nodes the number of nodes among which a limit is divided
   */
  public void hotElsewhere(Collection<byte[]> keys, int nodes) {
    fleet.replace(keys, nodes);
  }

  /** Returns the counters of the port. */
  public DataCounters counters() {
    return counters;
  }

  /** Returns the bytes that the parts of {@link ShieldBudget} take now, by their names. */
  public Map<String, Long> usedBytes() {
    return protection.usedBytes();
  }

  /** Returns the source of explanations of the upstream's keys. */
  public KeySource keySource() {
    return new ContextSource(ScopeKind.SHIELD, () -> contexts);
  }

  @Override
  public void close() {
    maintenance.close();
  }

  /** Returns the statistics of a client that has just connected. */
  Caller caller(SocketAddress from) {
    String address =
        from instanceof InetSocketAddress inet ? Transport.text(inet) : String.valueOf(from);
    return new Caller(clients.incrementAndGet(), address, ticker.nanos());
  }

  /** Replaces the commands of the upstream, and resets the statistics of hot keys. */
  void onLearned(UpstreamCommandTable table) {
    commands = table;
  }

  /** Returns the commands as the upstream described them last. */
  UpstreamCommandTable commands() {
    return commands;
  }

  /** Returns the statistics of hot keys, which outlast changes of the commands. */
  HotContexts contexts() {
    return contexts;
  }

  KeyProtection protection() {
    return protection;
  }

  UpstreamServers upstream() {
    return upstream;
  }

  ShieldSettings settings() {
    return settings;
  }

  Ticker ticker() {
    return ticker;
  }

  @Nullable Tracing tracing() {
    return tracing;
  }

  private void onReport(byte @Nullable [] key) {
    if (key == null) {
      maintenance.relearn();
    }
    protection.invalidation().onReport(key);
  }
}
