package io.heatshield.shield;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.data.DataCounters;
import io.heatshield.data.DataDoor;
import io.heatshield.data.DataLimits;
import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.ContextSource;
import io.heatshield.data.command.hot.HotContext;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.guard.FleetHotKeys;
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

/**
 * A Redis with a guard in front: what all clients of the shield share.
 *
 * <p>Opened once and closed once; any thread may call the rest.
 */
public final class Shield implements AutoCloseable {
  /** The scope in which the keys of the upstream are counted. */
  public static final String SCOPE = "shield";

  static final Duration WINDOW = Duration.ofSeconds(2);
  private static final int SLOTS = 8;
  private static final int RING_PERCENT = 10;
  private static final int MEMORY_PERCENT = 70;
  private static final int MAX_RING_KEYS = 250_000;

  /** The commands of the upstream, and why keys are hot, which is put down by them. */
  private record Told(UpstreamTable table, HotContexts contexts) {}

  private final AtomicLong clients = new AtomicLong();
  private final ShieldSettings settings;
  private final Ticker ticker;
  private final Clock clock;
  private final KeyHash hash;
  private final HotKeyDetector detector;
  private final FleetHotKeys elsewhere;
  private final HotReads hotReads;
  private final HotWrites hotWrites;
  private final Absence absence;
  private final Upstreams upstreams;
  private final ShieldUpkeep upkeep;
  private final DataCounters counters = new DataCounters();
  private volatile Told told;
  private volatile @Nullable Tracing tracing;

  private Shield(
      ShieldSettings settings,
      ServerScopes scopes,
      Savings savings,
      Clock clock,
      Ticker ticker,
      Runnable known)
      throws IOException {
    this.settings = settings;
    this.ticker = ticker;
    this.clock = clock;
    this.detector = scopes.open(SCOPE);
    this.hash = detector.keyHash();
    this.elsewhere = new FleetHotKeys(hash);
    long memory = settings.maxMemory().bytes();
    RedisUrl url = settings.url().named(MachineName.ofConnection(SCOPE));
    upkeep = new ShieldUpkeep(this, url, known);
    upstreams = new Upstreams(url, settings.timeout(), ticker, this::changed);
    hotReads =
        new HotReads(
            settings.hotReads(),
            memory / 100 * MEMORY_PERCENT,
            ring(scopes.secret(), memory),
            elsewhere,
            savings,
            ticker,
            upstreams::isUp);
    absence = new Absence(settings, memory / 100 * RING_PERCENT, hash, savings, SCOPE, upstreams);
    hotWrites =
        new HotWrites(settings.writeLimit(), ring(scopes.secret(), memory), elsewhere, savings);
    told = told(UpstreamTable.none());
    savings.effects(
        SCOPE, (action, hashed, enforced) -> told.contexts.applied(action, hashed, enforced));
  }

  /**
   * Opens a shield; it does not wait for the upstream for more than a moment.
   *
   * @param known is run when the upstream has told its commands
   * @throws IOException if it can never work
   */
  public static Shield open(
      ShieldSettings settings,
      ServerScopes scopes,
      Savings savings,
      Metrics metrics,
      Clock clock,
      Ticker ticker,
      Runnable known)
      throws IOException {
    var shield = new Shield(settings, scopes, savings, clock, ticker, known);
    ShieldMeters.bind(shield, metrics);
    shield.upkeep.start();
    return shield;
  }

  /** Returns the door to the upstream, closed. */
  public DataDoor door(Transport transport, InetSocketAddress address, @Nullable TlsMaterial tls) {
    DataLimits limits = DataLimits.defaults();
    return new DataDoor(
        transport,
        address,
        tls,
        limits,
        counters,
        ticker,
        held -> new ShieldConnection(this, transport, limits, held));
  }

  /** Makes spans of commands from now on; none by default. */
  public void trace(Tracing next) {
    tracing = next;
  }

  @Nullable Tracing tracing() {
    return tracing;
  }

  /** Takes over what may change while the server runs. */
  public void retune(ShieldSettings next) {
    hotReads.retune(next.hotReads());
    hotWrites.retune(next.writeLimit());
    absence.mode(next.cuckooFilter().mode());
  }

  /**
   * Takes the keys that are hot in the whole fleet in place of those given before: their values are
   * kept from the first read on, and their writes are held to this node's part of the limit.
   *
   * @param nodes among how many nodes a limit is divided
   */
  public void hotElsewhere(Collection<byte[]> keys, int nodes) {
    elsewhere.replace(keys, nodes);
  }

  /** Returns what the door counts. */
  public DataCounters counters() {
    return counters;
  }

  /** Returns what is known about the keys of the upstream. */
  public KeySource keySource() {
    return new ContextSource(
        WayIn.SHIELD,
        () -> {
          Told now = told;
          return new ContextSource.Contexts(now.contexts, now.table.commands());
        });
  }

  /** Returns a client that has just come. */
  Caller caller(SocketAddress from) {
    String address =
        from instanceof InetSocketAddress inet ? Transport.text(inet) : String.valueOf(from);
    return new Caller(clients.incrementAndGet(), address, ticker.nanos());
  }

  @Override
  public void close() {
    upkeep.close();
  }

  /** Takes over the commands that the upstream has; contexts of hot keys begin anew. */
  void took(UpstreamTable table) {
    told = told(table);
  }

  /** Takes note that somebody changed a key, or any if null. */
  void changed(byte @Nullable [] key) {
    if (key == null) {
      upkeep.relearn();
      hotReads.dropAll();
      absence.forget();
    } else {
      long hashed = hash.hash(key);
      absence.add(hashed);
      hotReads.drop(key, hashed);
    }
  }

  /** Takes note that a command may have changed its keys. */
  void changed(Pending pending) {
    if (pending.wipes) {
      hotReads.dropAll();
      absence.forget();
    }
    if (pending.unclear) {
      pending.unclear = false;
      absence.endUnclear();
    }
    for (byte[] key : pending.changed) {
      hotReads.drop(key, hash.hash(key));
    }
  }

  /** Records how long the upstream took for a command; one that may block says nothing. */
  void replied(Pending pending) {
    if (!pending.blocking && !pending.stream) {
      long nanos = System.nanoTime() - pending.startNanos;
      counters.storeCalls().record(nanos);
      if (!pending.own) {
        counters.answers().record(nanos);
      }
    }
  }

  UpstreamTable table() {
    return told.table;
  }

  long hash(byte[] key) {
    return hash.hash(key);
  }

  /** Counts the use of a key; returns its context if it is hot. */
  @Nullable HotContext touch(Caller caller, Known known, byte[] key, long hashed, long bytes) {
    Told now = told;
    int size = now.table.commands().size();
    return known.command().index() < size
        ? now.contexts.touch(caller, known.command(), hashed, key, bytes)
        : null;
  }

  HotReads hotReads() {
    return hotReads;
  }

  Absence absence() {
    return absence;
  }

  HotWrites hotWrites() {
    return hotWrites;
  }

  Tracking tracking() {
    return upstreams;
  }

  Upstreams upstreams() {
    return upstreams;
  }

  ShieldSettings settings() {
    return settings;
  }

  Ticker ticker() {
    return ticker;
  }

  private Told told(UpstreamTable table) {
    int size = Math.max(1, table.commands().size());
    return new Told(table, new HotContexts(detector, size, clock, ticker));
  }

  private HotRing ring(HashSecret secret, long memory) {
    return HotRing.builder()
        .bits(12)
        .top(16)
        .window(SLOTS, WINDOW.dividedBy(SLOTS))
        .rotation(Duration.ofMinutes(30))
        .cap(MAX_RING_KEYS)
        .capBytes(memory / 100 * RING_PERCENT)
        .secret(secret)
        .ticker(ticker)
        .build();
  }
}
