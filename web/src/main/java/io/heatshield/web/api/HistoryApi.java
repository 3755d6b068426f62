package io.heatshield.web.api;

import io.heatshield.insight.history.HeatHistory;
import io.heatshield.insight.history.HeatMap;
import io.heatshield.web.http.BadRequestException;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
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

  private final HeatHistory recent;
  private final long recentMillis;
  private final HeatHistory history;
  private final Clock clock;

  /**
   * Creates the API of a history.
   *
   * @param recent the last minutes by the second
   * @param reach how far back those go
   * @param history all of it, by a coarser step
   */
  public HistoryApi(HeatHistory recent, Duration reach, HeatHistory history, Clock clock) {
    this.recent = recent;
    this.recentMillis = reach.toMillis();
    this.history = history;
    this.clock = clock;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/history", "Shows what was hot when.", this::history)
            .withQuery(
                "scope", "The scope; all scopes if absent.", Schema.text().withExample("main"))
            .withQuery("prefix", "Only keys whose shown form begins with this text.")
            .withQuery("contains", "Only keys whose shown form has this text in it.")
            .withQuery("minutes", "How far back.", Schema.integer(1, MAX_MINUTES).byDefault(360))
            .withQuery(
                "from",
                "Where it begins, in Unix milliseconds, in place of minutes.",
                QueryTime.SCHEMA)
            .withQuery(
                "to", "Where it ends, in Unix milliseconds; now if absent.", QueryTime.SCHEMA)
            .withQuery(
                "columns",
                "Into how many equal parts.",
                Schema.integer(1, MAX_COLUMNS).byDefault(240))
            .withQuery("n", "At most how many keys.", Schema.integer(1, MAX_ROWS).byDefault(20))
            .answering(
                200,
                "The keys with the highest rates, and their rates in each part.",
                MapView.class));
  }

  private CompletionStage<Response> history(Request request) {
    int columns = request.queryInt("columns", 240, 1, MAX_COLUMNS);
    int rows = request.queryInt("n", 20, 1, MAX_ROWS);
    long now = clock.millis() + 1;
    long to = QueryTime.millis(request, "to", now);
    int minutes = request.queryInt("minutes", 360, 1, MAX_MINUTES);
    long from = QueryTime.millis(request, "from", to - Duration.ofMinutes(minutes).toMillis());
    if (from >= to || to - from > Duration.ofMinutes(MAX_MINUTES).toMillis()) {
      throw new BadRequestException("from must be before to, by at most 24 hours");
    }
    String scope = request.query("scope");
    KeyMatch match = KeyMatch.of(request);
    HeatHistory used = from >= now - recentMillis ? recent : history;
    HeatMap map =
        used.between(
            name -> (scope == null || scope.equals(name.scope())) && match.test(name.key()),
            from,
            to,
            columns,
            rows);
    return Response.json(
            new MapView(
                Instant.ofEpochMilli(from),
                Instant.ofEpochMilli(to),
                map.seen(),
                map.lines().stream().map(HistoryApi::line).toList(),
                map.total(),
                recent.bytes() + history.bytes(),
                used.leftOut()))
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
      Instant from,
      Instant to,
      List<Boolean> seen,
      List<LineView> rows,
      int total,
      long bytesAtMost,
      long leftOut) {}

  private record LineView(
      String scope, String key, String keyHash, boolean prefix, double peak, List<Long> rates) {}
}
