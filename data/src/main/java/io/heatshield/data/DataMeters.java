package io.heatshield.data;

import io.heatshield.runtime.metrics.Metrics;

/** The meters of the data door. */
public final class DataMeters {
  private DataMeters() {}

  /** Registers the meters. */
  public static void bind(DataCounters counters, Metrics metrics) {
    metrics.gauge("resp.clients", "Clients connected to the data door", counters::clients);
    metrics.counter(
        "resp.clients.rejected",
        "Clients that the data door refused because it was full",
        counters::rejected);
    metrics.counter("resp.commands", "Commands that were answered", counters::commands);
    metrics.counter("resp.errors", "Commands that were answered with an error", counters::errors);
    metrics.counter(
        "resp.throttled", "Writes that were refused because their key is hot", counters::throttled);
    metrics.latency(
        "resp_answer_seconds",
        "From a whole command to its reply, inside the server",
        counters.answers());
    metrics.counter(
        "resp.protocol.errors",
        "Clients closed because they did not speak the protocol or passed its limits",
        counters::protocolErrors);
    metrics.counter(
        "resp.timeouts",
        "Clients closed for silence or for a command that did not arrive",
        counters::timeouts);
    metrics.counter(
        "resp.slow.readers", "Clients closed because they did not read", counters::slowReaders);
    metrics.counter(
        "resp.over.budget",
        "Clients closed because all of them together held too much",
        counters::overBudget);
  }
}
