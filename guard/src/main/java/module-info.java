/**
 * Protects keys in front of a store: hot values in memory, throttled writes, known-absent keys. Not
 * for direct use: its API is that of guarded stores.
 */
@SuppressWarnings("module") // The named modules are built after this one.
module io.heatshield.guard {
  requires static org.jspecify;
  requires com.github.benmanes.caffeine;
  requires transitive io.heatshield.core;

  exports io.heatshield.guard to
      io.heatshield.rocksdb,
      io.heatshield.store;
}
