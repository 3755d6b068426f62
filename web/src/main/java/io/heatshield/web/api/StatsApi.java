package io.heatshield.web.api;

import io.heatshield.detect.DetectorStats;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.runtime.Version;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import java.util.List;

/** {@code /api/v1/stats}: the counts of all scopes. */
public final class StatsApi {
  private final long startNanos = System.nanoTime();
  private final ServerScopes scopes;

  /** Creates the API; the uptime is measured from now. */
  public StatsApi(ServerScopes scopes) {
    this.scopes = scopes;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/stats",
                "Returns the counts of each scope.",
                request -> Response.json(view()))
            .answering(200, "The counts of each scope.", View.class));
  }

  private View view() {
    return new View(
        Version.current(),
        (System.nanoTime() - startNanos) / 1_000_000_000L,
        scopes.all().entrySet().stream()
            .map(scope -> scope(scope.getKey(), scope.getValue().stats()))
            .toList());
  }

  private static ScopeView scope(String name, DetectorStats stats) {
    return new ScopeView(
        name,
        stats.touches(),
        stats.inWindow(),
        stats.hot(),
        stats.kept(),
        stats.overloaded(),
        stats.errorBound(),
        stats.floorRate(),
        stats.bytes());
  }

  private record View(String version, long uptimeSeconds, List<ScopeView> scopes) {}

  private record ScopeView(
      String scope,
      long touches,
      long inWindow,
      int hot,
      int kept,
      boolean overloaded,
      long errorBound,
      double floorRate,
      long bytes) {}
}
