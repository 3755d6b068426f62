package io.heatshield.web.api;

import io.heatshield.action.Mode;
import io.heatshield.insight.series.ModeChange;
import io.heatshield.insight.series.Samples;
import io.heatshield.insight.series.SeriesRecorder;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/series}: the metrics of the last minutes, second by second. */
public final class SeriesApi {
  private final SeriesRecorder recorder;
  private final Clock clock;

  /** Creates the API of a recorder. */
  public SeriesApi(SeriesRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/series",
                "Returns requests, saved calls, store calls, errors and latency, second by second.",
                this::series)
            .withQuery("scope", "The scope; default: all scopes together.")
            .withQuery(
                "seconds",
                "The length of the period.",
                Schema.integer(1, SeriesRecorder.SAMPLES).byDefault(SeriesRecorder.SAMPLES))
            .withQuery(
                "after", "Only samples after this time, in Unix milliseconds.", Schema.unixMillis())
            .answering(
                200,
                "The samples, oldest first, and the changes of protection modes.",
                SeriesView.class));
  }

  private Response series(Request request) {
    int seconds = request.queryInt("seconds", SeriesRecorder.SAMPLES, 1, SeriesRecorder.SAMPLES);
    long first = clock.millis() - seconds * 1000L;
    long after = Math.max(first, request.queryMillis("after", 0));
    String scope = Objects.requireNonNullElse(request.query("scope"), "");
    Samples samples = recorder.after(scope, after);
    var values = new LinkedHashMap<String, List<@Nullable Double>>();
    samples
        .values()
        .forEach(
            (metric, line) -> values.put(metric.name().toLowerCase(Locale.ROOT), rounded(line)));
    return Response.json(
        new SeriesView(
            scope.isEmpty() ? null : scope,
            1,
            SeriesRecorder.bytes(),
            recorder.scopes(),
            samples.times(),
            values,
            recorder.changes(scope).stream()
                .filter(change -> change.atMillis() > first)
                .map(ModeChangeView::of)
                .toList()));
  }

  private static List<@Nullable Double> rounded(List<@Nullable Float> line) {
    var values = new ArrayList<@Nullable Double>(line.size());
    for (Float value : line) {
      values.add(value == null ? null : Math.round(value * 1000.0) / 1000.0);
    }
    return values;
  }

  /** The samples; a value is null where it was not measured. */
  private record SeriesView(
      @Nullable String scope,
      int stepSeconds,
      long bytesAtMost,
      List<String> scopes,
      List<Long> times,
      Map<String, List<@Nullable Double>> values,
      List<ModeChangeView> modeChanges) {}

  private record ModeChangeView(long at, String scope, String action, Mode from, Mode to) {
    static ModeChangeView of(ModeChange change) {
      return new ModeChangeView(
          change.atMillis(), change.scope(), change.action(), change.from(), change.to());
    }
  }
}
