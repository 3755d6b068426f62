package io.heatshield.insight.explain;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.Settings;
import io.heatshield.detect.Estimate;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.Verdict;
import io.heatshield.hash.SeaHash;
import io.heatshield.insight.history.Baseline;
import io.heatshield.insight.history.HeatHistory;
import io.heatshield.insight.history.HotName;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import io.heatshield.key.KeyText;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Explains keys for the HTTP API, the data port, the command line and the page. Thread-safe.
 *
 * <p>The facts are read one after the other while traffic continues, so they are not a consistent
 * snapshot.
 */
public final class Explainer {
  private static final Duration BASELINE_SPAN = Duration.ofHours(1);
  private static final String LIMIT_ACTIONS = "limits";
  private static final long PEAK_SPAN_MILLIS = Duration.ofHours(24).toMillis();

  private final ServerScopes scopes;
  private final WallTime wall;
  private final HeatHistory history;
  private final Savings savings;
  private final Supplier<Settings> settings;
  private final Map<String, KeySource> sources = new ConcurrentHashMap<>();
  private volatile Function<String, Optional<KeySource>> fallback = scope -> Optional.empty();

  /** Creates an explainer without sources of usage. */
  public Explainer(
      ServerScopes scopes,
      WallTime wall,
      HeatHistory history,
      Savings savings,
      Supplier<Settings> settings) {
    this.scopes = scopes;
    this.wall = wall;
    this.history = history;
    this.savings = savings;
    this.settings = settings;
  }

  /** Sets the source of the usage of a scope's keys. */
  public void addSource(String scope, KeySource source) {
    sources.put(scope, source);
  }

  /** Sets the function that finds the source of a scope without {@link #addSource}. */
  public void setFallback(Function<String, Optional<KeySource>> next) {
    fallback = next;
  }

  /**
   * Returns the explanation of a key, or empty if there is no such scope. It consists of text,
   * numbers, booleans, enums, null, and lists and maps of these, for JSON and for replies.
   */
  public Optional<Map<String, @Nullable Object>> explain(String scope, byte[] key) {
    return scopes.find(scope).map(detector -> facts(scope, detector, key));
  }

  private Map<String, @Nullable Object> facts(String scope, HotKeyDetector detector, byte[] key) {
    Estimate estimate = detector.estimate(key);
    KeyReport kept = detector.explain(key).orElse(null);
    Verdict.Kind kind = kept == null ? Verdict.Kind.COOL : kept.kind();
    KeySource source = source(scope);
    KeyUses used = source.uses(key).orElse(null);
    List<KeyEffect> effects = source.effects(key);
    Map<String, Mode> modes = modes(source.kind(), scope);
    boolean hot = kind != Verdict.Kind.COOL;
    Instant since = kept != null && hot ? wall.before(kept.takenAt(), kept.hotFor()) : null;
    var name = new HotName(scope, KeyText.of(key), SeaHash.label(key), false);
    long inWindow = detector.stats().inWindow();
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("scope", scope);
    facts.put("key", name.key());
    facts.put("key_hash", name.keyHash());
    facts.put("state", kind);
    facts.put("rate", estimate.rate());
    baseline(facts, name, since == null ? wall.now() : since, detector.settings().window());
    facts.put("peak_rate", peak(name, estimate.rate(), used));
    facts.put("share", inWindow <= 0 ? 0.0 : Math.min(1.0, (double) estimate.touches() / inWindow));
    facts.put("estimate", estimate.touches());
    facts.put("at_least", estimate.atLeast());
    facts.put("error", kept == null ? estimate.error() : kept.error());
    facts.put("guaranteed", kept == null ? 0L : kept.guaranteed());
    facts.put("since", since == null ? null : since.toString());
    facts.put("first_seen", kept == null ? null : before(kept, kept.trackedFor()));
    facts.put("last_seen", kept == null ? null : before(kept, kept.idleFor()));
    facts.put("context", used == null ? null : context(used));
    facts.put("protection", effects.stream().map(effect -> view(effect, modes)).toList());
    facts.put("done", done(scope));
    var adviser =
        new Adviser(settings.get(), scope, source.kind(), estimate.rate(), modes, effects);
    facts.put("recommendation", hot ? view(adviser.advise(used)) : null);
    return facts;
  }

  private String before(KeyReport report, Duration time) {
    return wall.before(report.takenAt(), time).toString();
  }

  private KeySource source(String scope) {
    KeySource known = sources.get(scope);
    return known == null ? fallback.apply(scope).orElse(KeySource.COUNTED) : known;
  }

  /** Returns the modes of the actions that can be applied to keys of a scope. */
  private Map<String, Mode> modes(ScopeKind kind, String scope) {
    String acting = kind == ScopeKind.LIMITS ? LIMIT_ACTIONS : scope;
    return savings.snapshot().stream()
        .filter(action -> action.scope().equals(acting))
        .collect(Collectors.toMap(Action.Snapshot::name, Action.Snapshot::mode));
  }

  private static Map<String, Object> view(KeyEffect effect, Map<String, Mode> modes) {
    var view = new LinkedHashMap<String, Object>();
    view.put("action", effect.action());
    view.put("mode", modes.getOrDefault(effect.action(), Mode.OFF));
    view.put("acted", effect.acted());
    view.put("would_have_acted", effect.wouldHaveActed());
    return view;
  }

  private void baseline(
      Map<String, @Nullable Object> facts, HotName name, Instant before, Duration window) {
    long to = before.minus(window).toEpochMilli();
    Baseline baseline = history.baseline(name, to - BASELINE_SPAN.toMillis(), to);
    facts.put("baseline_rate", baseline.moments() == 0 ? null : baseline.rate());
    facts.put("baseline_moments", (long) baseline.moments());
  }

  private double peak(HotName name, double rate, @Nullable KeyUses used) {
    long now = wall.now().toEpochMilli();
    double seen = Math.max(rate, history.peak(name, now - PEAK_SPAN_MILLIS, now + 1));
    return used == null ? seen : Math.max(seen, used.peakRate());
  }

  private static Map<String, @Nullable Object> context(KeyUses used) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("first_hot", Instant.ofEpochMilli(used.firstHotMillis()).toString());
    view.put("peak_rate", used.peakRate());
    view.put("reads", used.reads());
    view.put("writes", used.writes());
    view.put("misses", used.misses());
    view.put("miss_share", used.missShare());
    view.put("throttled", used.throttled());
    view.put("bytes", used.bytes());
    view.put("commands", used.commands());
    view.put("clients", used.clients());
    view.put("distinct_clients", used.distinctClients());
    KeyUses.Caller caller = used.busiest();
    view.put("busiest_client_keys", caller == null ? null : caller.keys());
    view.put("busiest_client_share", caller == null ? null : caller.share());
    return view;
  }

  /** Returns the counts of the actions of a scope, without those that have none. */
  private List<Map<String, Object>> done(String scope) {
    return savings.snapshot().stream()
        .filter(action -> action.scope().equals(scope))
        .filter(action -> action.applied() + action.wouldHaveApplied() > 0)
        .map(Explainer::view)
        .toList();
  }

  private static Map<String, Object> view(Action.Snapshot action) {
    var view = new LinkedHashMap<String, Object>();
    view.put("action", action.name());
    view.put("mode", action.mode());
    view.put("applied", action.applied());
    view.put("saved", action.saved());
    view.put("would_have_applied", action.wouldHaveApplied());
    view.put("would_have_saved", action.wouldHaveSaved());
    return view;
  }

  private static Map<String, @Nullable Object> view(Recommendation recommended) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("cause", recommended.cause());
    view.put("says", recommended.says());
    view.put("advice", recommended.advice());
    view.put("setting", recommended.setting());
    view.put("value", recommended.value());
    view.put("line", recommended.line());
    view.put("in_effect", recommended.inEffect());
    view.put("acted", recommended.acted());
    view.put("would_have_acted", recommended.wouldHaveActed());
    return view;
  }
}
