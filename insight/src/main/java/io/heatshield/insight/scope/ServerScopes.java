package io.heatshield.insight.scope;

import io.heatshield.config.settings.DetectSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyDetectorBuilder;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.Scopes;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.micrometer.HeatshieldMetrics;
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
 * The registry of scopes. Each scope has a detector with the settings of {@code detect}, metrics,
 * and a log line when one of its keys turns hot or cools.
 *
 * <p>A scope is opened once, by the component that counts its keys, and is never closed.
 * Thread-safe. Listeners are called on the thread that detected the change and must not block.
 */
public final class ServerScopes {
  private static final Logger log = LoggerFactory.getLogger(ServerScopes.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);
  private static final int MAX_KEY_SERIES = 500;
  private static final int PREFIX_LEVELS = 3;

  private final HashSecret secret;
  private final KeyHash keyHash;
  private final Ticker ticker;
  private final Clock clock;
  private final Metrics metrics;
  private final Scopes scopes;
  private final LogThrottle throttle;
  private final LabelledCounter detected;
  private final List<Consumer<HotEvent>> listeners = new CopyOnWriteArrayList<>();
  private volatile DetectSettings settings;
  private volatile FleetSource fleet = FleetSource.NONE;

  /**
   * Creates a registry without scopes.
   *
   * @param secret the secret of the hash function of all keys of the process
   */
  public ServerScopes(
      DetectSettings settings, HashSecret secret, Ticker ticker, Clock clock, Metrics metrics) {
    this.settings = settings;
    this.secret = secret;
    this.keyHash = KeyHash.fast(secret);
    this.ticker = ticker;
    this.clock = clock;
    this.metrics = metrics;
    this.scopes =
        Scopes.builder().maxScopes(settings.maxScopes()).detectors(this::detector).build();
    this.throttle = new LogThrottle(ticker, LOG_INTERVAL);
    this.detected =
        metrics.labelledCounter(
            "hot.key.detected",
            "Times that a key turned hot, by the SeaHash of the key",
            MAX_KEY_SERIES,
            "scope",
            "key_hash");
    metrics.counter(
        "hot.key.log.held.back",
        "Log lines about hot keys that were suppressed",
        throttle::suppressed);
  }

  /**
   * Opens a scope, unless it is open already, and returns its detector.
   *
   * @throws IllegalStateException if {@code detect.max_scopes} scopes are open
   */
  public synchronized HotKeyDetector open(String scope) {
    Optional<HotKeyDetector> known = scopes.find(scope);
    if (known.isPresent()) {
      return known.get();
    }
    HotKeyDetector detector =
        scopes
            .open(scope)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "number of scopes must be at most detect.max_scopes: "
                            + settings.maxScopes()));
    metrics.bind(new HeatshieldMetrics(detector, scope));
    return detector;
  }

  /** Returns the detector of a scope, if the scope is open. */
  public Optional<HotKeyDetector> find(String scope) {
    return scopes.find(scope);
  }

  /** Returns the detectors of all open scopes, by name. */
  public Map<String, HotKeyDetector> all() {
    return scopes.all();
  }

  /** Returns the hash function of all keys. */
  public KeyHash keyHash() {
    return keyHash;
  }

  /** Returns the secret of {@link #keyHash}, for structures that take its hashes. */
  public HashSecret secret() {
    return secret;
  }

  /** Adds a listener that is called whenever a key turns hot or cools. */
  public void addListener(Consumer<HotEvent> listener) {
    listeners.add(listener);
  }

  /** Publishes that a key turned hot or cooled in the whole fleet. */
  public void publishFleetEvent(boolean hot, String scope, KeyReport key, HotEvent.Fleet fleet) {
    publish(new HotEvent(hot, scope, key, clock.instant(), fleet));
  }

  /** Returns the source of the fleet's counts. */
  public FleetSource fleet() {
    return fleet;
  }

  /** Sets the source of the fleet's counts. */
  public void fleet(FleetSource source) {
    fleet = source;
  }

  /** Applies a new window and threshold to every scope. */
  public void reconfigure(DetectSettings next) {
    settings = next;
    scopes
        .all()
        .values()
        .forEach(detector -> detector.reconfigure(next.window(), next.threshold()));
  }

  /** Advances the window of every scope and cools keys without requests. */
  public void maintain() {
    scopes.maintain();
  }

  /** Returns the most memory that a scope takes, in bytes. */
  public static long scopeBytes(DetectSettings settings) {
    return builder(settings).toSettings().bytes();
  }

  /** Returns the memory of all open scopes, in bytes. */
  public long bytes() {
    return scopes.all().values().stream().mapToLong(HotKeyDetector::bytes).sum();
  }

  private void publish(HotEvent event) {
    for (Consumer<HotEvent> listener : listeners) {
      try {
        listener.accept(event);
      } catch (RuntimeException e) {
        log.error("hot-key listener threw", e);
      }
    }
  }

  private HotKeyDetector detector(String scope) {
    var publisher = new EventPublisher(scope);
    return builder(settings)
        .secret(secret)
        .ticker(ticker)
        .onHot(publisher::turnedHot)
        .onCool(publisher::cooled)
        .build();
  }

  private static HotKeyDetectorBuilder builder(DetectSettings settings) {
    return HotKeyDetector.builder()
        .window(settings.window())
        .panes(settings.panes())
        .threshold(settings.threshold())
        .exit(settings.exit())
        .early(settings.early())
        .width(settings.width())
        .depth(settings.depth())
        .topK(settings.topK())
        .prefixes(settings.prefixes() ? PREFIX_LEVELS : 0, ':');
  }

  /** A throttled log line, by the keyed hash: an attacker can make labels collide. */
  private record Line(boolean hot, String scope, long hash) {}

  /** Publishes the events of one scope to the log, the metrics and the listeners. */
  private final class EventPublisher {
    private final String scope;

    EventPublisher(String scope) {
      this.scope = scope;
    }

    void turnedHot(KeyReport key) {
      detected.increment(scope, key.key().label());
      if (throttle.tryAcquire(new Line(true, scope, key.key().keyedHash()))) {
        log.warn(
            "hot key {} in {}: {} (key_hash {})", key.key(), scope, rate(key), key.key().label());
      }
      publish(new HotEvent(true, scope, key, clock.instant()));
    }

    void cooled(KeyReport key) {
      if (throttle.tryAcquire(new Line(false, scope, key.key().keyedHash()))) {
        log.info("key {} in {} has cooled (key_hash {})", key.key(), scope, key.key().label());
      }
      publish(new HotEvent(false, scope, key, clock.instant()));
    }

    private static String rate(KeyReport key) {
      return String.format(
          Locale.ROOT,
          "%.0f requests/s, estimate %d - %d",
          key.rate(),
          key.estimate(),
          key.error());
    }
  }
}
