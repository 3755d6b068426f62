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

/** The history of the last minutes and hours in fixed memory: series, heat maps and incidents. */
final class ServerHistory {
  private static final Duration COARSE_STEP = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int RECENT_NAMES = 1024;

  private final HeatHistory recent = new HeatHistory(SeriesRecorder.SAMPLES, RECENT_NAMES);
  private final Savings savings;
  private final SeriesRecorder series;
  private final IncidentLog incidents;
  private final List<Route> routes;

  /**
   * Starts recording.
   *
   * @param history receives the hottest keys of the last hours
   */
  ServerHistory(
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

  /** Adds the counters of the data port and the engine calls of its stores. */
  void addStores(ServerStores stores, DataCounters counters) {
    stores
        .all()
        .forEach(
            (name, store) -> series.add(new Source(name, store::engineCalls, null, null, null)));
    // The port counts all stores together, which is exact for a single store.
    String scope = stores.all().size() == 1 ? stores.all().keySet().iterator().next() : "";
    series.add(new Source(scope, null, errors(counters), counters.answers(), null));
    series.recordModes();
  }

  /** Adds the counters of the shield. */
  void addShield(DataCounters counters) {
    series.add(
        new Source(
            Shield.SCOPE,
            counters.storeCalls()::count,
            errors(counters),
            counters.answers(),
            counters.storeCalls()));
    series.recordModes();
  }

  /** Adds the counters of the rate limits, whose savings have the scope {@code limits}. */
  void addLimits(ServerLimits limits) {
    series.add(
        new Source(
            "limits",
            limits.usesRedis() ? limits::redisCommands : null,
            limits.service()::failures,
            limits.service().latency(),
            null));
    series.recordModes();
  }

  /** Returns the errors of a port without throttled writes, which are protection. */
  private LongSupplier errors(DataCounters counters) {
    return () -> Math.max(0, counters.errors() - throttled());
  }

  private long throttled() {
    return savings.snapshot().stream()
        .filter(action -> action.name().equals("clamp"))
        .mapToLong(Action.Snapshot::applied)
        .sum();
  }

  /** Returns the API routes of the history. */
  List<Route> routes() {
    return routes;
  }
}
