/**
 * Guarded stores: the contract of an engine, the engine in memory, and the guard in front of both.
 */
module io.heatshield.store {
  requires static org.jspecify;
  requires transitive io.heatshield.core;
  requires io.heatshield.guard;

  exports io.heatshield.store;
  exports io.heatshield.store.engine;
  exports io.heatshield.store.memory;
  exports io.heatshield.store.stats;
}
