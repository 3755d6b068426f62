package io.heatshield.data.command.hot;

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
 * What HOTKEYS shares between clients: the session, if one was started, and how it is spoken of.
 *
 * <p>Any thread may call.
 */
public final class HotKeys {
  /** Whose HOTKEYS is spoken. */
  public enum Dialect {
    /** That of Redis 8.6: sessions that are started, stopped and read. */
    REDIS,
    /** That of Valkey 9.2: the hottest keys of the last window, at any time. */
    VALKEY
  }

  /** A key, where it is, and its touches per second. */
  record Rated(OpenStore store, KeyReport key, double rate) {}

  private final Dialect dialect;
  private final boolean alwaysOn;
  private final KeyHash hash;
  private final Clock clock;
  private final Ticker fine = Ticker.system();
  private volatile @Nullable HotSession session;
  private volatile Baseline baseline = new Baseline(Long.MIN_VALUE, Map.of());

  /**
   * Creates it without a session.
   *
   * @param alwaysOn whether GET without a session tells what the detector knows
   */
  public HotKeys(Dialect dialect, boolean alwaysOn, KeyHash hash, Clock clock) {
    this.dialect = dialect;
    this.alwaysOn = alwaysOn;
    this.hash = hash;
    this.clock = clock;
  }

  Dialect dialect() {
    return dialect;
  }

  boolean isAlwaysOn() {
    return alwaysOn;
  }

  long nowMillis() {
    return clock.millis();
  }

  /** Returns nanoseconds that are fine enough to measure one command. */
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

  /** Lets rates begin anew: what was counted so far is taken off for as long as it is counted. */
  void restart(List<OpenStore> stores) {
    var counted = new HashMap<Long, Long>();
    for (OpenStore store : stores) {
      store
          .detector()
          .top(Integer.MAX_VALUE)
          .forEach(key -> counted.put(key.hash() ^ store.index(), key.estimate()));
    }
    baseline = new Baseline(nowMillis(), counted);
  }

  /** Returns the touches per second of a key since rates began. */
  Rated rated(OpenStore store, KeyReport key) {
    Baseline before = baseline;
    long window = store.detector().settings().window().toMillis();
    long since = nowMillis() - before.millis;
    if (before.millis == Long.MIN_VALUE || since >= window) {
      return new Rated(store, key, key.rate());
    }
    long counted = before.counted.getOrDefault(key.hash() ^ store.index(), 0L);
    double touches = Math.max(0, key.estimate() - counted);
    return new Rated(store, key, touches * 1000 / Math.max(1000, since));
  }

  private record Baseline(long millis, Map<Long, Long> counted) {}
}
