package io.heatshield.web.api;

import io.heatshield.insight.scope.HotEvent;
import io.heatshield.runtime.json.Json;
import io.heatshield.web.http.EventStream;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** {@code /api/v1/events}: an event whenever a key turns hot or cools. */
public final class EventsApi {
  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();

  /** Creates the API without listeners, whose number the HTTP server limits. */
  public EventsApi() {}

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/events",
                "Streams an event whenever a key turns hot or cools.",
                request -> Response.events(this::join))
            .producing("text/event-stream")
            .answering(
                200,
                "Server-sent events named hot and cool, each with an object as its data.",
                Schema.text()
                    .withExample(
                        "event: hot\n"
                            + "data:"
                            + " {\"event\":\"hot\",\"scope\":\"main\",\"key\":\"user:1\",\"key_hash\":\"75e54f7b3c2d1a09\",\"state\":\"hot\",\"rate\":250.0,\"estimate\":15000,\"error\":12,\"at\":\"2026-01-02T03:04:05Z\"}\n\n"))
            .answering(503, "Too many open streams."));
  }

  /** Sends an event to all listeners; those that cannot keep up are dropped. */
  public void publish(HotEvent event) {
    if (streams.isEmpty()) {
      return;
    }
    String data = Json.write(event.fields());
    streams.forEach(stream -> stream.send(event.hot() ? "hot" : "cool", data));
  }

  private void join(EventStream stream) {
    streams.add(stream);
    stream.onClose(() -> streams.remove(stream));
  }
}
