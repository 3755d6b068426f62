package io.heatshield.shield;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.WriteLimitSettings;
import io.heatshield.config.settings.Writers;
import io.heatshield.data.DataCounters;
import io.heatshield.data.DataLimits;
import io.heatshield.data.RespPort;
import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.ContextSource;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.FilterShape;
import io.heatshield.guard.FleetHotKeys;
import io.heatshield.guard.GuardContext;
import io.heatshield.guard.HotValues;
import io.heatshield.guard.WriteThrottle;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.insight.explain.KeySource;
import io.heatshield.insight.explain.WayIn;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.redis.RedisUrl;
import io.heatshield.ring.HotRing;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.MachineName;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.telemetry.Tracing;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxy in front of a Redis: what all its clients share.
 *
 * <p>Opened once and closed once; any thread may call any other method.
 */
public final class Shield implements AutoCloseable {
  /** The scope in which the keys of the upstream are counted. */
  public static final String SCOPE = "shield";

  private static final Logger log = LoggerFactory.getLogger(Shield.class);
  private static final Duration WINDOW = Duration.ofSeconds(2);
  private static final int PANES = 8;
  private static final int RING_PERCENT = 10;
  private static final int FILTER_PERCENT = 10;
  private static final int MEMORY_PERCENT = 70;
  private static final int MAX_RING_KEYS = 250_000;

  /** The commands of the upstream, and the statistics of hot keys, which refer to them. */
  record Learned(UpstreamCommandTable table, HotContexts contexts) {}

  private final AtomicLong clients = new AtomicLong();
  private final ShieldSettings settings;
  private final Ticker ticker;
  private final Clock clock;
  private final HotKeyDetector detector;
  private final FleetHotKeys fleet;
  private final HotReplies hotReplies;
  private final WriteThrottle writeThrottle;
  private final AbsentKeys absentKeys;
  private final Invalidation invalidation;
  private final UpstreamServers upstream;
  private final ShieldMaintenance maintenance;
  private final DataCounters counters = new DataCounters();
  private volatile Learned learned;
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
    this.clock = clock;
    this.detector = scopes.open(SCOPE);
    KeyHash hash = detector.keyHash();
    this.fleet = new FleetHotKeys(hash);
    var guard =
        new GuardContext(SCOPE, hash, ticker, savings, fleet, what -> log.warn("shield: {}", what));
    RedisUrl url = settings.url().named(MachineName.ofConnection(SCOPE));
    upstream = new UpstreamServers(url, settings.timeout(), ticker, this::onReport);
    maintenance = new ShieldMaintenance(this, upstream, url, onLearned);
    long percent = settings.maxMemory().bytes() / 100;
    long ringBytes = percent * RING_PERCENT;
    hotReplies =
        new HotReplies(
            guard,
            settings.hotReads(),
            percent * MEMORY_PERCENT,
            ring(scopes.secret(), ringBytes),
            upstream);
    WriteLimitSettings writes = settings.writeLimit();
    writeThrottle =
        new WriteThrottle(
            guard, ring(scopes.secret(), ringBytes), WINDOW, writes.mode(), writes.perWindow());
    absentKeys =
        new AbsentKeys(
            guard,
            FilterShape.addOnly(settings.cuckooFilter().expectedItems()),
            percent * FILTER_PERCENT,
            settings.writers() == Writers.EXCLUSIVE,
            upstream,
            key -> 0);
    absentKeys.mode(settings.cuckooFilter().mode());
    invalidation = new Invalidation(hash, hotReplies, absentKeys);
    learned = learned(UpstreamCommandTable.empty());
    savings.effects(
        SCOPE, (action, key, enforced) -> learned.contexts.applied(action, key, enforced));
  }

  /**
   * Opens a shield; it does not wait for the upstream for more than a moment.
   *
   * @param onLearned is run when the upstream has described its commands
   * @throws IOException if it can never work
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
    HotValues<?, ?> values = hotReplies.values();
    metrics.counter("shield.cache.hits", "Reads answered from memory", values::hits);
    metrics.counter("shield.cache.loads", "Answers of the upstream kept in memory", values::loads);
    metrics.gauge("shield.cache.bytes", "Memory of hot values", values::bytes);
    metrics.counter(
        "shield.absence.disagreements",
        "Keys that the filter took for absent and the upstream held",
        absentKeys::disagreements);
    metrics.gauge(
        "shield.absence.complete",
        "1 if the filter has every key of the upstream",
        () -> absentKeys.isTrusted() ? 1 : 0);
    metrics.gauge(
        "shield.tracking.up",
        "1 if invalidations of the upstream arrive, so that reads may be answered from memory",
        () -> upstream.isDelivering() ? 1 : 0);
  }

  /** Returns the door to the upstream, closed. */
  public RespPort door(Transport transport, InetSocketAddress address, @Nullable TlsMaterial tls) {
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
    hotReplies.tune(next.hotReads());
    writeThrottle.tune(next.writeLimit().mode(), next.writeLimit().perWindow());
    absentKeys.mode(next.cuckooFilter().mode());
  }

  /**
   * Replaces the keys that are hot in the whole fleet: their values are kept from the first read
   * on, and their writes are held to this node's share of the limit.
   *
   * @param nodes among how many nodes a limit is divided
   */
  public void hotElsewhere(Collection<byte[]> keys, int nodes) {
    fleet.replace(keys, nodes);
  }

  /** Returns what the door counts. */
  public DataCounters counters() {
    return counters;
  }

  /** Returns what is known about the keys of the upstream. */
  public KeySource keySource() {
    return new ContextSource(WayIn.SHIELD, () -> learned.contexts);
  }

  @Override
  public void close() {
    maintenance.close();
  }

  /** Returns a client that has just connected. */
  Caller caller(SocketAddress from) {
    String address =
        from instanceof InetSocketAddress inet ? Transport.text(inet) : String.valueOf(from);
    return new Caller(clients.incrementAndGet(), address, ticker.nanos());
  }

  /** Takes over the commands of the upstream; the statistics of hot keys begin again. */
  void onLearned(UpstreamCommandTable table) {
    learned = learned(table);
  }

  Learned learned() {
    return learned;
  }

  KeyHash hash() {
    return detector.keyHash();
  }

  HotReplies hotReplies() {
    return hotReplies;
  }

  WriteThrottle writeThrottle() {
    return writeThrottle;
  }

  AbsentKeys absentKeys() {
    return absentKeys;
  }

  Invalidation invalidation() {
    return invalidation;
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
    invalidation.onReport(key);
  }

  private Learned learned(UpstreamCommandTable table) {
    return new Learned(table, new HotContexts(detector, clock, ticker));
  }

  private HotRing ring(HashSecret secret, long maxBytes) {
    return HotRing.builder()
        .bits(12)
        .top(16)
        .window(PANES, WINDOW.dividedBy(PANES))
        .rotation(Duration.ofMinutes(30))
        .cap(MAX_RING_KEYS)
        .capBytes(maxBytes)
        .secret(secret)
        .ticker(ticker)
        .build();
  }
}
