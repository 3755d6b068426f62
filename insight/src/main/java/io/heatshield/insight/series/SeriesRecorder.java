package io.heatshield.insight.series;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.detect.DetectorStats;
import io.heatshield.detect.HotKeyDetector;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Samples of the last minutes, for each scope and for all of them together.
 *
 * <p>Holds {@value #SAMPLES} samples of at most {@value #MAX_SCOPES} scopes and {@value
 * #MAX_CHANGES} changes of modes, at most {@link #bytes} bytes; scopes past the limit are part of
 * the total only. A sample is what happened since the one before, divided by the time that passed.
 * Any thread may call any method.
 */
public final class SeriesRecorder {
  /** How many samples are kept. */
  public static final int SAMPLES = 900;

  /** At most how many scopes have samples of their own. */
  static final int MAX_SCOPES = 64;

  /** At most how many changes of modes are kept. */
  static final int MAX_CHANGES = 200;

  private static final String ALL = "";

  private record Place(String scope, String action) {}

  private final ServerScopes scopes;
  private final Savings savings;
  private final Clock clock;
  private final Ticker ticker;
  private final List<Source> sources = new CopyOnWriteArrayList<>();
  private final Map<String, Ring> rings = new HashMap<>();
  private final long[] times = new long[SAMPLES];
  private final ArrayDeque<ModeChange> changes = new ArrayDeque<>();
  private final Map<Place, Mode> modes = new HashMap<>();
  private Map<String, Totals> before = Map.of();
  private long beforeNanos;
  private int next;

  /** Creates a recorder without a sample. */
  public SeriesRecorder(ServerScopes scopes, Savings savings, Clock clock, Ticker ticker) {
    this.scopes = scopes;
    this.savings = savings;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Adds counts of a part of the server, from the next sample on. */
  public void add(Source source) {
    sources.add(source);
  }

  /** Returns the most bytes that the samples take. */
  public static long bytes() {
    return (MAX_SCOPES + 1L) * SAMPLES * Metric.values().length * Float.BYTES;
  }

  /** Takes a sample. */
  public void sample() {
    Map<String, Totals> now = totals();
    List<Action.Snapshot> actions = savings.snapshot();
    synchronized (this) {
      long nanos = ticker.nanos();
      noteModes(actions);
      double seconds = (nanos - beforeNanos) / 1e9;
      if (!before.isEmpty() && seconds > 0) {
        rings.values().forEach(ring -> ring.clear(next));
        Totals none = new Totals();
        Map<String, Totals> earlier = before;
        now.forEach(
            (scope, totals) -> {
              Ring ring = ring(scope);
              if (ring != null && earlier.containsKey(scope)) {
                totals.write(earlier.getOrDefault(scope, none), seconds, ring, next);
              }
            });
        times[next] = clock.millis();
        next = (next + 1) % SAMPLES;
      }
      before = now;
      beforeNanos = nanos;
    }
  }

  /** Returns the changes of modes of a scope, or of all if it is empty, oldest first. */
  public synchronized List<ModeChange> changes(String scope) {
    return changes.stream()
        .filter(change -> scope.isEmpty() || change.scope().equals(scope))
        .toList();
  }

  /** Returns the scopes that have samples of their own. */
  public synchronized List<String> scopes() {
    return rings.keySet().stream().filter(scope -> !scope.isEmpty()).sorted().toList();
  }

  /**
   * Returns the samples after a time, oldest first; all are empty for a scope without samples.
   *
   * @param scope the scope, or empty for all together
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

  private Map<String, Totals> totals() {
    var totals = new HashMap<String, Totals>();
    totals.put(ALL, new Totals());
    for (Map.Entry<String, HotKeyDetector> scope : scopes.all().entrySet()) {
      DetectorStats stats = scope.getValue().stats();
      both(
          totals,
          scope.getKey(),
          into -> {
            into.add(Metric.REQUESTS, stats.touches());
            into.add(Metric.HOT_KEYS, stats.hot());
          });
    }
    for (Action.Snapshot action : savings.snapshot()) {
      both(
          totals,
          action.scope(),
          into -> {
            into.add(Metric.SAVED, action.saved());
            into.add(Metric.WOULD_SAVE, action.wouldHaveSaved());
          });
    }
    for (Source source : sources) {
      both(totals, source.scope(), into -> read(source, into));
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
      into.addAnswers(source.answers());
    }
    if (source.store() != null) {
      into.addStore(source.store());
    }
  }

  private static void both(Map<String, Totals> totals, String scope, Consumer<Totals> add) {
    Supplier<Totals> all = () -> totals.computeIfAbsent(ALL, unused -> new Totals());
    add.accept(all.get());
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

  private void noteModes(List<Action.Snapshot> actions) {
    var seen = new HashMap<Place, Mode>();
    for (Action.Snapshot action : actions) {
      var place = new Place(action.scope(), action.name());
      seen.put(place, action.mode());
      Mode was = modes.get(place);
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
