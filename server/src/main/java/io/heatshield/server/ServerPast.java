package io.heatshield.server;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.data.DataCounters;
import io.heatshield.data.store.ServerStores;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.history.HeatHistory;
import io.heatshield.insight.history.HeatRecorder;
import io.heatshield.insight.incident.IncidentLog;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import io.heatshield.insight.series.SeriesRecorder;
import io.heatshield.insight.series.Source;
import io.heatshield.rls.ServerLimits;
import io.heatshield.shield.Shield;
import io.heatshield.time.Ticker;
import io.heatshield.web.api.HistoryApi;
import io.heatshield.web.api.IncidentsApi;
import io.heatshield.web.api.SeriesApi;
import io.heatshield.web.http.Route;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** What the server remembers of the last minutes and hours, each part in a fixed memory. */
final class ServerPast {
  private static final Duration COARSE_STEP = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int RECENT_NAMES = 1024;

  private final HeatHistory recent = new HeatHistory(SeriesRecorder.SAMPLES, RECENT_NAMES);
  private final Savings savings;
  private final SeriesRecorder series;
  private final IncidentLog incidents;
  private final List<Route> routes;

  /**
   * Begins to record.
   *
   * @param history takes the hottest keys of the last hours
   */
  ServerPast(
      ServerScopes scopes,
      Savings savings,
      Explainer explainer,
      HeatHistory history,
      WallTime wall,
      Clock clock,
      Timer timer) {
    this.savings = savings;
    series = new SeriesRecorder(scopes, savings, clock, Ticker.system());
    incidents = new IncidentLog(scopes, wall, explainer::explain);
    Duration reach = STEP.multipliedBy(SeriesRecorder.SAMPLES);
    routes =
        Stream.of(
                new HistoryApi(recent, reach, history, clock).routes(),
                new SeriesApi(series, clock).routes(),
                new IncidentsApi(incidents, clock).routes())
            .flatMap(List::stream)
            .toList();
    timer.every(COARSE_STEP, new HeatRecorder(scopes, clock, history)::record);
    timer.every(STEP, new HeatRecorder(scopes, clock, recent)::record);
    timer.every(STEP, series::sample);
    timer.every(STEP, incidents::poll);
  }

  /** Adds what the data port counts, and the calls to the engines of its stores. */
  void addStores(ServerStores stores, DataCounters counters) {
    stores
        .all()
        .forEach(
            (name, store) -> series.add(new Source(name, store::engineCalls, null, null, null)));
    // The port counts for all stores together; if there is one, that is the store.
    String scope = stores.all().size() == 1 ? stores.all().keySet().iterator().next() : "";
    series.add(new Source(scope, null, errors(counters), counters.answers(), null));
  }

  /** Adds what the shield counts. */
  void addShield(DataCounters counters) {
    series.add(
        new Source(
            Shield.SCOPE,
            counters.storeCalls()::count,
            errors(counters),
            counters.answers(),
            counters.storeCalls()));
  }

  /** Adds what the rate limits count; their scope in the ledger of savings is {@code limits}. */
  void addLimits(ServerLimits limits) {
    series.add(
        new Source(
            "limits",
            limits.usesRedis() ? limits::redisCommands : null,
            limits.service()::failures,
            limits.service().latency(),
            null));
  }

  /** Returns the errors of a port; a throttled write is protection, not an error. */
  private LongSupplier errors(DataCounters counters) {
    return () -> Math.max(0, counters.errors() - throttled());
  }

  private long throttled() {
    return savings.snapshot().stream()
        .filter(action -> action.name().equals("clamp"))
        .mapToLong(Action.Snapshot::applied)
        .sum();
  }

  /** Returns the routes that show it. */
  List<Route> routes() {
    return routes;
  }
}
