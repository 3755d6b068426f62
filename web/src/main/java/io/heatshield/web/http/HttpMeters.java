package io.heatshield.web.http;

import io.heatshield.runtime.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The counters of the HTTP server. They count effects, not intents.
 *
 * <p>Thread-safe. A read may miss concurrent increments, but no increment is lost.
 */
public final class HttpMeters {
  final LongAdder connections = new LongAdder();
  final LongAdder rejectedConnections = new LongAdder();
  final LongAdder timeouts = new LongAdder();
  final LongAdder badRequests = new LongAdder();
  final LongAdder adminRefusals = new LongAdder();
  final LongAdder streams = new LongAdder();
  final LongAdder droppedStreams = new LongAdder();
  final LongAdder rejectedStreams = new LongAdder();
  private final LongAdder[] responses =
      Stream.generate(LongAdder::new).limit(5).toArray(LongAdder[]::new);

  /** Creates counters at zero. */
  public HttpMeters() {}

  /** Counts a response by the class of its status. */
  void countResponse(int status) {
    responses[status / 100 - 1].increment();
  }

  /** Returns how many responses had a status of one class, given by its first digit. */
  long responses(int statusClass) {
    return responses[statusClass - 1].sum();
  }

  /** Registers the counters as metrics. */
  public void bind(Metrics metrics) {
    for (int status = 1; status <= 5; status++) {
      metrics.counter(
          "http.responses",
          "HTTP responses, by status class",
          responses[status - 1]::sum,
          "status",
          status + "xx");
    }
    metrics.gauge("http.connections", "Open HTTP connections", connections::sum);
    metrics.counter(
        "http.connections.rejected",
        "HTTP connections rejected because the connection limit was reached",
        rejectedConnections::sum);
    metrics.counter(
        "http.timeouts", "HTTP requests, handlers and writes that timed out", timeouts::sum);
    metrics.counter(
        "http.bad.requests", "Malformed HTTP requests, rejected before routing", badRequests::sum);
    metrics.counter(
        "http.admin.refusals",
        "Requests rejected because of a missing or wrong admin token",
        adminRefusals::sum);
    metrics.gauge("http.streams", "Open event streams", streams::sum);
    metrics.counter(
        "http.streams.dropped",
        "Event streams closed because the client was too slow",
        droppedStreams::sum);
    metrics.counter(
        "http.streams.rejected",
        "Event streams rejected because the stream limit was reached",
        rejectedStreams::sum);
  }
}
