package io.heatshield.insight.scope;

import io.heatshield.config.settings.DetectSettings;
import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyListener;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.Scopes;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.runtime.metrics.LabelledCounter;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.time.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scopes of a server: each has a detector with the settings of {@code detect}, meters, and a
 * line in the log when one of its keys turns hot or cools.
 *
 * <p>A scope is opened by the part of the server that touches its keys, once, and stays. Any thread
 * may call any method. Whoever listens is called on the thread that noticed the turn and must not
 * block.
 */
public final class ServerScopes {
  private static final Logger log = LoggerFactory.getLogger(ServerScopes.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);
  private static final int MAX_KEY_SERIES = 500;

  private final HashSecret secret;
  private final KeyHash keyHash;
  private final Ticker ticker;
  private final Clock clock;
  private final Metrics metrics;
  private final Scopes scopes;
  private final WarnGate gate;
  private final LabelledCounter detected;
  private final List<Consumer<HotEvent>> listeners = new CopyOnWriteArrayList<>();
  private volatile DetectSettings settings;
  private volatile FleetSource fleet = FleetSource.NONE;

  /**
   * Creates a registry without a scope.
   *
   * @param secret keys the hash that all keys of the process are counted by
   */
  public ServerScopes(
      DetectSettings settings, HashSecret secret, Ticker ticker, Clock clock, Metrics metrics) {
    this.settings = settings;
    this.secret = secret;
    this.keyHash = KeyHash.fast(secret);
    this.ticker = ticker;
    this.clock = clock;
    this.metrics = metrics;
    this.scopes = new Scopes(settings.maxScopes(), this::detector);
    this.gate = new WarnGate(ticker, LOG_INTERVAL);
    this.detected =
        metrics.labelledCounter(
            "hot.key.detected",
            "Times that a key turned hot, by the SeaHash of the key",
            MAX_KEY_SERIES,
            "scope",
            "key_hash");
    metrics.counter(
        "hot.key.log.held.back",
        "Lines about hot keys that were held back to keep the log readable",
        gate::heldBack);
  }

  /**
   * Opens a scope and returns its detector; a scope that is open already keeps the one it has.
   *
   * @throws IllegalStateException if as many scopes as {@code detect.max_scopes} allows are open
   */
  public synchronized HotKeyDetector open(String scope) {
    Optional<HotKeyDetector> known = scopes.find(scope);
    if (known.isPresent()) {
      return known.get();
    }
    HotKeyDetector detector = detector(scope);
    if (!scopes.register(scope, detector)) {
      throw new IllegalStateException(
          "scopes must number at most detect.max_scopes: " + settings.maxScopes());
    }
    bind(scope, detector);
    return detector;
  }

  /** Returns the detector of a scope, if it is open. */
  public Optional<HotKeyDetector> find(String scope) {
    return scopes.find(scope);
  }

  /** Returns all open scopes, by name. */
  public Map<String, HotKeyDetector> all() {
    return scopes.all();
  }

  /** Returns the function that the keys of every scope are counted by. */
  public KeyHash keyHash() {
    return keyHash;
  }

  /** Returns the secret of {@link #keyHash}, for structures that are given hashes of it. */
  public HashSecret secret() {
    return secret;
  }

  /** Calls somebody whenever a key turns hot or cools, from now on. */
  public void listen(Consumer<HotEvent> listener) {
    listeners.add(listener);
  }

  /** Tells everyone who listens that the whole fleet has found a key to be hot, or to cool. */
  public void turnedInFleet(boolean hot, String scope, KeyReport key, HotEvent.Fleet fleet) {
    tell(new HotEvent(hot, scope, key, clock.instant(), fleet));
  }

  /** Returns what knows the numbers of the whole fleet. */
  public FleetSource fleet() {
    return fleet;
  }

  /** Sets what knows the numbers of the whole fleet. */
  public void fleet(FleetSource source) {
    fleet = source;
  }

  /** Applies window and threshold to every scope from the next touch on. */
  public void retune(DetectSettings next) {
    settings = next;
    scopes.all().values().forEach(detector -> detector.retune(next.window(), next.threshold()));
  }

  /** Lets every scope turn its panes and cool what nobody touches. */
  public void maintain() {
    scopes.maintain();
  }

  private void tell(HotEvent event) {
    for (Consumer<HotEvent> listener : listeners) {
      try {
        listener.accept(event);
      } catch (RuntimeException e) {
        log.error("a listener of hot keys failed", e);
      }
    }
  }

  private HotKeyDetector detector(String scope) {
    DetectSettings now = settings;
    DetectorSettings shape =
        DetectorSettings.builder()
            .window(now.window())
            .panes(now.panes())
            .threshold(now.threshold())
            .exit(now.exit())
            .early(now.early())
            .width(now.width())
            .depth(now.depth())
            .topK(now.topK())
            .rollup(now.prefixes())
            .build();
    return new HotKeyDetector(shape, keyHash, ticker, new Watch(scope));
  }

  private void bind(String scope, HotKeyDetector detector) {
    metrics.counter(
        "touches",
        "Uses of keys that were counted",
        () -> detector.stats().touches(),
        "scope",
        scope);
    metrics.gauge(
        "hot.keys", "Keys that are hot now", () -> detector.stats().hot(), "scope", scope);
    metrics.gauge(
        "estimate.error.bound",
        "By how many touches an estimate may be too high, with the sketch's confidence",
        () -> detector.stats().errorBound(),
        "scope",
        scope);
    metrics.gauge(
        "estimate.error.observed",
        "By how many touches estimates are too high on average, by the audit's exact sample",
        () -> detector.audit().meanError(),
        "scope",
        scope);
    metrics.counter(
        "audit.due",
        "Times that a sampled key reached the threshold by its exact count",
        () -> detector.audit().due(),
        "scope",
        scope);
    metrics.counter(
        "audit.found",
        "Times that this was reported at the touch",
        () -> detector.audit().found(),
        "scope",
        scope);
    metrics.gauge(
        "hot.prefixes",
        "Prefixes that are hot now by what no hot key explains",
        () -> detector.hotPrefixes().size(),
        "scope",
        scope);
    metrics.gauge(
        "detection.floor",
        "Rate in touches per second below which an estimate may be noise alone",
        () -> detector.stats().floorRate(),
        "scope",
        scope);
  }

  /** What the log says at most once in a while; by the keyed hash, for labels can be aimed at. */
  private record Line(boolean hot, String scope, long hash) {}

  /** Tells log, metrics and listeners about the keys of one scope. */
  private final class Watch implements HotKeyListener {
    private final String scope;

    Watch(String scope) {
      this.scope = scope;
    }

    @Override
    public void turnedHot(KeyReport key) {
      detected.increment(scope, key.key().label());
      if (gate.pass(new Line(true, scope, key.hash()))) {
        log.warn(
            "hot key {} in {}: {} (key_hash {})", key.key(), scope, rate(key), key.key().label());
      }
      tell(new HotEvent(true, scope, key, clock.instant()));
    }

    @Override
    public void cooled(KeyReport key) {
      if (gate.pass(new Line(false, scope, key.hash()))) {
        log.info("key {} in {} has cooled (key_hash {})", key.key(), scope, key.key().label());
      }
      tell(new HotEvent(false, scope, key, clock.instant()));
    }

    private static String rate(KeyReport key) {
      return String.format(
          Locale.ROOT, "%.0f touches/s, estimate %d - %d", key.rate(), key.estimate(), key.error());
    }
  }
}
