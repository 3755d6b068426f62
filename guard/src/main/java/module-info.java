/**
 * Protects keys in front of any store: hot values in memory, throttled writes, known-absent keys.
 */
module io.heatshield.guard {
  requires static org.jspecify;
  requires com.github.benmanes.caffeine;
  requires transitive io.heatshield.core;

  exports io.heatshield.guard;
}
