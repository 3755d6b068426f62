package io.heatshield.server.api;

import io.heatshield.server.Version;
import io.heatshield.server.config.Configuration;
import io.heatshield.server.http.Response;
import io.heatshield.server.http.Route;
import java.util.List;
import java.util.function.Supplier;

/** {@code /api/v1/config}: every setting in effect, secrets masked, and where it came from. */
public final class ConfigApi {
  private final Supplier<Configuration> current;

  /** Creates the API of the configuration that is in effect whenever somebody asks. */
  public ConfigApi(Supplier<Configuration> current) {
    this.current = current;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/v1/config",
            "Shows every setting in effect, secrets masked, and where it came from.",
            request -> Response.json(view()).now()));
  }

  private View view() {
    return new View(
        Version.current(),
        current.get().effective().stream()
            .map(e -> new Entry(e.path(), e.value(), e.origin().toString()))
            .toList());
  }

  private record View(String version, List<Entry> settings) {}

  private record Entry(String path, String value, String origin) {}
}
