package io.heatshield.insight.series;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.detect.DetectorStats;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.time.Ticker;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records samples of the last minutes, for each scope and for all scopes together. Thread-safe.
 *
 * <p>Keeps {@value #SAMPLES} samples of at most {@value #MAX_SCOPES} scopes and {@value
 * #MAX_CHANGES} mode changes, in at most {@link #bytes} bytes. Scopes beyond the limit are included
 * in the total only. A sample is the difference to the previous one, divided by the elapsed time.
 */
public final class SeriesRecorder {
  /** The number of samples. */
  public static final int SAMPLES = 900;

  /** The maximum number of scopes with their own samples. */
  static final int MAX_SCOPES = 64;

  /** The maximum number of mode changes. */
  static final int MAX_CHANGES = 200;

  private static final String ALL = "";

  private record ActionId(String scope, String action) {}

  private final ServerScopes scopes;
  private final Savings savings;
  private final Clock clock;
  private final Ticker ticker;
  private final List<Source> sources = new CopyOnWriteArrayList<>();
  private final Map<String, Ring> rings = new HashMap<>();
  private final long[] times = new long[SAMPLES];
  private final ArrayDeque<ModeChange> changes = new ArrayDeque<>();
  private final Map<ActionId, Mode> modes = new HashMap<>();
  private Map<String, Totals> before = Map.of();
  private long beforeNanos;
  private int next;

  /** Creates a recorder without samples. */
  public SeriesRecorder(ServerScopes scopes, Savings savings, Clock clock, Ticker ticker) {
    this.scopes = scopes;
    this.savings = savings;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Adds the counters of a component, beginning with the next sample. */
  public void add(Source source) {
    sources.add(source);
  }

  /** Returns the maximum memory of the samples, in bytes. */
  public static long bytes() {
    return (MAX_SCOPES + 1L) * SAMPLES * Metric.values().length * Float.BYTES;
  }

  /** Records the present modes, so that a change before the first sample is noticed, too. */
  public void recordModes() {
    List<Action.Snapshot> actions = savings.snapshot();
    synchronized (this) {
      recordModes(actions);
    }
  }

  /** Takes a sample. */
  public void sample() {
    List<Action.Snapshot> actions = savings.snapshot();
    Map<String, Totals> now = totals(actions);
    synchronized (this) {
      long nanos = ticker.nanos();
      recordModes(actions);
      double seconds = (nanos - beforeNanos) / 1e9;
      if (!before.isEmpty() && seconds > 0) {
        rings.values().forEach(ring -> ring.clear(next));
        now.forEach((scope, totals) -> write(scope, totals, seconds));
        times[next] = clock.millis();
        next = (next + 1) % SAMPLES;
      }
      before = now;
      beforeNanos = nanos;
    }
  }

  private void write(String scope, Totals totals, double seconds) {
    Ring ring = ring(scope);
    Totals earlier = before.get(scope);
    if (ring != null && earlier != null) {
      totals.write(earlier, seconds, ring, next);
    }
  }

  /** Returns the mode changes of a scope, or of all scopes if it is empty, oldest first. */
  public synchronized List<ModeChange> changes(String scope) {
    return changes.stream()
        .filter(change -> scope.isEmpty() || change.scope().equals(scope))
        .toList();
  }

  /** Returns the scopes with their own samples. */
  public synchronized List<String> scopes() {
    return rings.keySet().stream().filter(scope -> !scope.isEmpty()).sorted().toList();
  }

  /**
   * Returns the samples after a time, oldest first, which are empty for an unknown scope.
   *
   * @param scope the scope, or empty for all scopes together
   */
  public synchronized Samples after(String scope, long afterMillis) {
    Ring ring = rings.get(scope);
    var at = new ArrayList<Integer>();
    for (int i = 0; i < SAMPLES; i++) {
      int place = (next + i) % SAMPLES;
      if (ring != null && times[place] > afterMillis) {
        at.add(place);
      }
    }
    var values = new EnumMap<Metric, List<@Nullable Float>>(Metric.class);
    for (Metric metric : Metric.values()) {
      var line = new ArrayList<@Nullable Float>(at.size());
      for (int place : at) {
        float value = ring == null ? Float.NaN : ring.get(metric, place);
        line.add(Float.isNaN(value) ? null : value);
      }
      values.put(metric, line);
    }
    return new Samples(at.stream().map(place -> times[place]).toList(), values);
  }

  private Map<String, Totals> totals(List<Action.Snapshot> actions) {
    var totals = new HashMap<String, Totals>(Map.of(ALL, new Totals()));
    scopes
        .all()
        .forEach(
            (scope, detector) -> {
              DetectorStats stats = detector.stats();
              addToBoth(
                  totals,
                  scope,
                  into -> {
                    into.add(Metric.REQUESTS, stats.touches());
                    into.add(Metric.HOT_KEYS, stats.hot());
                  });
            });
    for (Action.Snapshot action : actions) {
      addToBoth(
          totals,
          action.scope(),
          into -> {
            into.add(Metric.SAVED, action.saved());
            into.add(Metric.WOULD_SAVE, action.wouldHaveSaved());
          });
    }
    for (Source source : sources) {
      addToBoth(totals, source.scope(), into -> read(source, into));
    }
    return totals;
  }

  private static void read(Source source, Totals into) {
    if (source.storeCalls() != null) {
      into.add(Metric.STORE_CALLS, source.storeCalls().getAsLong());
    }
    if (source.errors() != null) {
      into.add(Metric.ERRORS, source.errors().getAsLong());
    }
    if (source.answers() != null) {
      into.addLatency(Metric.ANSWER_P50_MS, source.answers());
    }
    if (source.store() != null) {
      into.addLatency(Metric.STORE_P50_MS, source.store());
    }
  }

  /** Adds counters to the totals of all scopes and to those of one scope, if it is not empty. */
  private static void addToBoth(Map<String, Totals> totals, String scope, Consumer<Totals> add) {
    add.accept(totals.computeIfAbsent(ALL, unused -> new Totals()));
    if (!scope.isEmpty()) {
      add.accept(totals.computeIfAbsent(scope, unused -> new Totals()));
    }
  }

  private @Nullable Ring ring(String scope) {
    Ring known = rings.get(scope);
    if (known == null && rings.size() <= MAX_SCOPES) {
      known = new Ring(SAMPLES);
      rings.put(scope, known);
    }
    return known;
  }

  private void recordModes(List<Action.Snapshot> actions) {
    var seen = new HashMap<ActionId, Mode>();
    for (Action.Snapshot action : actions) {
      var id = new ActionId(action.scope(), action.name());
      seen.put(id, action.mode());
      Mode was = modes.get(id);
      if (was != null && was != action.mode()) {
        changes.add(
            new ModeChange(clock.millis(), action.scope(), action.name(), was, action.mode()));
        if (changes.size() > MAX_CHANGES) {
          changes.remove();
        }
      }
    }
    modes.clear();
    modes.putAll(seen);
  }
}
