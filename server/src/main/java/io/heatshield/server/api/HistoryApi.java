package io.heatshield.server.api;

import io.heatshield.server.history.HeatHistory;
import io.heatshield.server.history.HeatMap;
import io.heatshield.server.http.Request;
import io.heatshield.server.http.Response;
import io.heatshield.server.http.Route;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code /api/v1/history}: what was hot in the last hours, as rows of a heat map. */
public final class HistoryApi {
  private static final int MAX_MINUTES = (int) Duration.ofHours(24).toMinutes();
  private static final int MAX_COLUMNS = 720;
  private static final int MAX_ROWS = 200;

  private final HeatHistory history;
  private final Clock clock;

  /** Creates the API of a history. */
  public HistoryApi(HeatHistory history, Clock clock) {
    this.history = history;
    this.clock = clock;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/history", "Shows what was hot when.", this::history)
            .withQuery("scope", "The scope; all scopes if absent.")
            .withQuery("minutes", "How far back, 360 if absent.")
            .withQuery("columns", "Into how many equal parts, 240 if absent.")
            .withQuery("n", "At most how many keys, 20 if absent.")
            .answering(200, "The keys with the highest rates, and their rates in each part."));
  }

  private CompletionStage<Response> history(Request request) {
    int minutes = request.queryInt("minutes", 360, 1, MAX_MINUTES);
    int columns = request.queryInt("columns", 240, 1, MAX_COLUMNS);
    int rows = request.queryInt("n", 20, 1, MAX_ROWS);
    String scope = request.query("scope");
    long to = clock.millis() + 1;
    long from = to - Duration.ofMinutes(minutes).toMillis();
    HeatMap map = history.between(scope == null ? "" : scope, from, to, columns, rows);
    return Response.json(
            new MapView(
                Instant.ofEpochMilli(from).toString(),
                Instant.ofEpochMilli(to).toString(),
                map.seen(),
                map.lines().stream().map(HistoryApi::line).toList(),
                HeatHistory.bytes(),
                history.leftOut()))
        .now();
  }

  private static LineView line(HeatMap.Line line) {
    return new LineView(
        line.name().scope(),
        line.name().key(),
        line.name().keyHash(),
        line.name().prefix(),
        line.peak(),
        line.rates().stream().map(rate -> (long) Math.ceil(rate)).toList());
  }

  private record MapView(
      String from,
      String to,
      List<Boolean> seen,
      List<LineView> rows,
      long bytesAtMost,
      long leftOut) {}

  private record LineView(
      String scope, String key, String keyHash, boolean prefix, double peak, List<Long> rates) {}
}
