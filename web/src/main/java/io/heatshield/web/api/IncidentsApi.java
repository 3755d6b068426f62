package io.heatshield.web.api;

import io.heatshield.insight.incident.Incident;
import io.heatshield.insight.incident.IncidentLog;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/incidents}: incidents with their cause, protection and recommendation. */
public final class IncidentsApi {
  private static final int DEFAULT_INCIDENTS = 50;
  private static final int MAX_INCIDENTS = IncidentLog.MAX_OPEN + IncidentLog.MAX_CLOSED;

  private final IncidentLog incidents;
  private final Clock clock;

  /** Creates the API of an incident log. */
  public IncidentsApi(IncidentLog incidents, Clock clock) {
    this.incidents = incidents;
    this.clock = clock;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/incidents",
                "Lists the incidents: when a key was hot, the cause, the protection and a recommendation.",
                this::incidents)
            .withQuery("scope", "The scope; default: all scopes.")
            .withQuery(
                "n",
                "The maximum number of incidents.",
                Schema.integer(1, MAX_INCIDENTS).byDefault(DEFAULT_INCIDENTS))
            .withQuery(
                "offset",
                "The number of incidents to skip.",
                Schema.integer(0, MAX_INCIDENTS).byDefault(0))
            .answering(
                200,
                "Open incidents by rate, then ended ones, newest first.",
                IncidentsView.class));
  }

  private Response incidents(Request request) {
    int most = request.queryInt("n", DEFAULT_INCIDENTS, 1, MAX_INCIDENTS);
    int offset = request.queryInt("offset", 0, 0, MAX_INCIDENTS);
    String scope = request.query("scope");
    List<Incident> found =
        Stream.concat(incidents.open().stream(), incidents.closed().stream())
            .filter(incident -> scope == null || incident.scope().equals(scope))
            .toList();
    long now = clock.millis();
    return Response.json(
        new IncidentsView(
            found.stream().filter(Incident::isOpen).count(),
            found.size(),
            incidents.leftOut(),
            found.stream().skip(offset).limit(most).map(one -> view(one, now)).toList()));
  }

  private static IncidentView view(Incident incident, long nowMillis) {
    Long end = incident.endMillis();
    Map<String, @Nullable Object> explained = incident.explained();
    return new IncidentView(
        incident.id(),
        incident.scope(),
        incident.key(),
        incident.keyHash(),
        end == null ? "open" : "ended",
        Instant.ofEpochMilli(incident.startMillis()),
        end == null ? null : Instant.ofEpochMilli(end),
        Math.max(0, ((end == null ? nowMillis : end) - incident.startMillis()) / 1000),
        incident.times(),
        incident.rate(),
        incident.peakRate(),
        explained == null ? null : explained.get("recommendation"),
        explained == null ? null : explained.get("protection"));
  }

  private record IncidentsView(long open, int total, long leftOut, List<IncidentView> incidents) {}

  private record IncidentView(
      long id,
      String scope,
      String key,
      String keyHash,
      String state,
      Instant start,
      @Nullable Instant end,
      long seconds,
      int times,
      double rate,
      double peakRate,
      @Nullable Object recommendation,
      @Nullable Object protection) {}
}
