package io.heatshield.web.http;

import io.heatshield.runtime.health.Health;
import java.util.List;

/**
 * The three health questions: {@code /livez} (does the process run), {@code /readyz} (may it be
 * sent traffic) and {@code /healthcheck} (the Envoy rate-limit service's own form of the latter).
 */
public final class HealthRoutes {
  private HealthRoutes() {}

  /** Returns the routes that tell a health. */
  public static List<Route> of(Health health) {
    return List.of(
        Route.get("/livez", "Says that the process runs.", r -> Response.text(200, "live\n").now())
            .answering(200, "It runs."),
        Route.get(
                "/readyz", "Says whether the server may be sent traffic.", r -> ready(health).now())
            .answering(200, "It is ready; lines after the first say what is amiss all the same.")
            .answering(503, "It is not ready; the lines after the first say why."),
        Route.get("/healthcheck", "Says whether the server serves.", r -> check(health).now())
            .answering(200, "It serves.")
            .answering(500, "It does not serve."));
  }

  private static Response ready(Health health) {
    List<String> missing = health.missing();
    return missing.isEmpty()
        ? Response.text(200, lines("ready", health.warnings()))
        : Response.text(503, lines("not ready", missing));
  }

  private static String lines(String first, List<String> more) {
    return more.isEmpty() ? first + "\n" : first + "\n" + String.join("\n", more) + "\n";
  }

  private static Response check(Health health) {
    List<String> missing = health.missing();
    return missing.isEmpty()
        ? Response.text(200, "OK")
        : Response.text(500, String.join("\n", missing) + "\n");
  }
}
