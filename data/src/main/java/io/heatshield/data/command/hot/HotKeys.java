package io.heatshield.data.command.hot;

import io.heatshield.config.settings.ServerSettings;
import io.heatshield.data.command.OpenStore;
import io.heatshield.detect.KeyReport;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of HOTKEYS, which all clients share: the dialect, and the tracking session if there is
 * one.
 *
 * <p>Any thread may call.
 */
public final class HotKeys {
  /** A key, its store, and its touches per second. */
  record Rated(OpenStore store, KeyReport key, double rate) {}

  private final boolean valkey;
  private final boolean alwaysOn;
  private final KeyHash hash;
  private final Clock clock;
  private final Ticker fine = Ticker.system();
  private volatile @Nullable HotSession session;
  private volatile Baseline baseline = new Baseline(Long.MIN_VALUE, Map.of());

  public HotKeys(ServerSettings settings, KeyHash hash, Clock clock) {
    this.valkey = settings.hotkeysDialect() == ServerSettings.HotkeysDialect.VALKEY;
    this.alwaysOn = settings.hotkeysAlwaysOn();
    this.hash = hash;
    this.clock = clock;
  }

  /**
   * Returns whether the dialect is that of Valkey 9.2, which returns the hottest keys of the last
   * window at any time. Otherwise it is that of Redis 8.6, with sessions that are started, stopped
   * and read.
   */
  boolean isValkey() {
    return valkey;
  }

  /** Returns whether GET without a session returns the keys of the detector. */
  boolean isAlwaysOn() {
    return alwaysOn;
  }

  long nowMillis() {
    return clock.millis();
  }

  /** Returns the time in nanoseconds, precise enough to measure one command. */
  public long nanos() {
    return fine.nanos();
  }

  /** Returns the session that was started last, or null. */
  @Nullable HotSession session() {
    return session;
  }

  /** Returns the session that is running, or null. */
  public @Nullable HotSession running() {
    HotSession now = session;
    return now != null && now.isActive(nowMillis()) ? now : null;
  }

  synchronized boolean start(HotSession.Options options) {
    if (running() != null) {
      return false;
    }
    session = new HotSession(options, nowMillis(), hash);
    return true;
  }

  void forget() {
    session = null;
  }

  /** Restarts the rates: the current counts are subtracted while they are in the window. */
  void restart(List<OpenStore> stores) {
    var counted = new HashMap<Long, Long>();
    for (OpenStore store : stores) {
      store
          .detector()
          .top(Integer.MAX_VALUE)
          .forEach(key -> counted.put(key.key().keyedHash() ^ store.index(), key.estimate()));
    }
    baseline = new Baseline(nowMillis(), counted);
  }

  /** Returns the touches per second of a key since the last restart. */
  Rated rated(OpenStore store, KeyReport key) {
    Baseline before = baseline;
    long window = store.detector().settings().window().toMillis();
    long since = nowMillis() - before.millis;
    if (before.millis == Long.MIN_VALUE || since >= window) {
      return new Rated(store, key, key.rate());
    }
    long counted = before.counted.getOrDefault(key.key().keyedHash() ^ store.index(), 0L);
    double touches = Math.max(0, key.estimate() - counted);
    return new Rated(store, key, touches * 1000 / Math.max(1000, since));
  }

  private record Baseline(long millis, Map<Long, Long> counted) {}
}
