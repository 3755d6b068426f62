package io.heatshield.web.http;

import io.heatshield.runtime.health.Health;
import java.util.List;

/**
 * The health endpoints: {@code /livez} (the process is running), {@code /readyz} (it can take
 * traffic) and {@code /healthcheck} (readiness in the form of the Envoy rate-limit service).
 */
public final class HealthRoutes {
  private HealthRoutes() {}

  /** Returns the routes that report a health. */
  public static List<Route> of(Health health) {
    return List.of(
        Route.get(
                "/livez", "Reports that the process is running.", r -> Response.text(200, "live\n"))
            .answering(200, "The process is running."),
        Route.get("/readyz", "Reports whether the server is ready for traffic.", r -> ready(health))
            .answering(200, "Ready; further lines are warnings.")
            .answering(503, "Not ready; further lines are the reasons."),
        Route.get(
                "/healthcheck",
                "Reports whether the server is ready, as Envoy's service does.",
                r -> check(health))
            .answering(200, "Ready.")
            .answering(500, "Not ready."));
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
