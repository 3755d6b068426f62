/** Decides rate limits, with counters in memory or behind a {@code CounterBackend}. */
module io.heatshield.limit {
  requires static org.jspecify;
  requires com.github.benmanes.caffeine;
  requires org.snakeyaml.engine;
  requires transitive io.heatshield.core;

  exports io.heatshield.limit;
  exports io.heatshield.limit.counter;
  exports io.heatshield.limit.fallback;
  exports io.heatshield.limit.memory;
  exports io.heatshield.limit.rule;
  exports io.heatshield.limit.yaml;
}
