package io.heatshield.data;

import io.heatshield.runtime.metrics.Metrics;

/** The meters of the data port. */
public final class DataMeters {
  private DataMeters() {}

  public static void bind(DataCounters counters, Metrics metrics) {
    metrics.gauge("resp.clients", "Clients connected to the data port", counters::clients);
    metrics.counter(
        "resp.clients.rejected",
        "Clients rejected because the data port was full",
        counters::rejected);
    metrics.counter("resp.commands", "Replies to commands", counters::commands);
    metrics.counter("resp.errors", "Error replies to commands", counters::errors);
    metrics.counter(
        "resp.throttled", "Writes throttled because their key is hot", counters::throttled);
    metrics.latency(
        "resp_answer_seconds",
        "Latency inside the server, from a complete command to its reply",
        counters.answers());
    metrics.counter(
        "resp.protocol.errors",
        "Clients closed because they violated the protocol or its limits",
        counters::protocolErrors);
    metrics.counter(
        "resp.timeouts",
        "Clients closed because they were idle or sent a command too slowly",
        counters::timeouts);
    metrics.counter(
        "resp.slow.readers",
        "Clients closed because they did not read their replies",
        counters::slowReaders);
    metrics.counter(
        "resp.over.budget",
        "Clients closed because all clients together held too many bytes",
        counters::overBudget);
  }
}
