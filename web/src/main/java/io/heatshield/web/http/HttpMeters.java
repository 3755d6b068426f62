package io.heatshield.web.http;

import io.heatshield.runtime.metrics.Metrics;

/** The meters of the HTTP door. */
public final class HttpMeters {
  private HttpMeters() {}

  /** Registers the meters. */
  public static void bind(HttpCounters counters, Metrics metrics) {
    for (int status = 1; status <= 5; status++) {
      int first = status;
      metrics.counter(
          "http.responses",
          "Responses of the HTTP door, by class of status",
          () -> counters.responses(first),
          "status",
          first + "xx");
    }
    metrics.gauge("http.connections", "Open connections of the HTTP door", counters::connections);
    metrics.counter(
        "http.connections.rejected",
        "Connections that the HTTP door refused because it was full",
        counters::rejectedConnections);
    metrics.counter(
        "http.timeouts", "Requests and writes that took longer than allowed", counters::timeouts);
    metrics.counter(
        "http.bad.requests",
        "Requests refused before a route was looked up",
        counters::badRequests);
    metrics.counter(
        "http.admin.refusals",
        "Admin calls refused for want of the token",
        counters::adminRefusals);
    metrics.gauge("http.streams", "Open event streams", counters::streams);
    metrics.counter(
        "http.streams.dropped",
        "Event streams closed because their reader was too slow",
        counters::streamDrops);
    metrics.counter(
        "http.streams.rejected",
        "Event streams refused because as many as allowed were open",
        counters::streamRejects);
  }
}
