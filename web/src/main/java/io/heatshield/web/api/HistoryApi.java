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

/** {@code /api/v1/history}: the hottest keys of the last hours, as a heat map. */
public final class HistoryApi {
  private static final int MAX_MINUTES = (int) Duration.ofHours(24).toMinutes();
  private static final int MAX_COLUMNS = 720;
  private static final int MAX_ROWS = 200;

  private final HeatHistory recent;
  private final long recentMillis;
  private final HeatHistory history;
  private final Clock clock;

  /**
   * Creates the API.
   *
   * @param recent the last minutes, second by second
   * @param reach the length of {@code recent}
   * @param history the last hours, in coarser steps
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
        Route.get(
                "/api/v1/history",
                "Returns the rates of the hottest keys over time.",
                this::history)
            .withQuery(
                "scope", "The scope; default: all scopes.", Schema.text().withExample("main"))
            .withQuery("prefix", KeyMatch.PREFIX)
            .withQuery("contains", KeyMatch.CONTAINS)
            .withQuery(
                "minutes",
                "The length of the period.",
                Schema.integer(1, MAX_MINUTES).byDefault(360))
            .withQuery(
                "from", "The start in Unix milliseconds, instead of minutes.", Schema.unixMillis())
            .withQuery("to", "The end in Unix milliseconds; default: now.", Schema.unixMillis())
            .withQuery(
                "columns",
                "The number of equal parts of the period.",
                Schema.integer(1, MAX_COLUMNS).byDefault(240))
            .withQuery(
                "n", "The maximum number of keys.", Schema.integer(1, MAX_ROWS).byDefault(20))
            .answering(
                200,
                "The keys with the highest rates, and their highest rate in each part.",
                MapView.class));
  }

  private Response history(Request request) {
    int columns = request.queryInt("columns", 240, 1, MAX_COLUMNS);
    int rows = request.queryInt("n", 20, 1, MAX_ROWS);
    long now = clock.millis() + 1;
    long to = request.queryMillis("to", now);
    int minutes = request.queryInt("minutes", 360, 1, MAX_MINUTES);
    long from = request.queryMillis("from", to - Duration.ofMinutes(minutes).toMillis());
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
            used.leftOut()));
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
