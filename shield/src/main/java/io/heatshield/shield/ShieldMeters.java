package io.heatshield.shield;

import io.heatshield.runtime.metrics.Metrics;

/** The meters of the shield. */
final class ShieldMeters {
  private ShieldMeters() {}

  static void bind(Shield shield, Metrics metrics) {
    HotReads memory = shield.hotReads();
    metrics.counter("shield.cache.hits", "Reads answered from memory", memory::hits);
    metrics.counter("shield.cache.loads", "Answers of the upstream kept in memory", memory::loads);
    metrics.gauge("shield.cache.bytes", "Memory of hot values", memory::bytes);
    metrics.counter(
        "shield.absence.disagreements",
        "Keys that the filter took for absent and the upstream held",
        shield.absence()::disagreements);
    metrics.gauge(
        "shield.absence.complete",
        "1 if the filter has every key of the upstream",
        () -> shield.absence().isComplete() ? 1 : 0);
    metrics.gauge(
        "shield.tracking.up",
        "1 if changes of the upstream are told, so that reads may be answered from memory",
        () -> shield.tracking().isUp() ? 1 : 0);
  }
}
