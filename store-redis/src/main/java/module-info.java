/** Keeps the data of a guarded store in Redis. */
module io.heatshield.store.redis {
  requires static org.jspecify;
  requires transitive io.heatshield.redis;
  requires transitive io.heatshield.store;

  exports io.heatshield.store.redis;

  opens io.heatshield.store.redis to
      io.heatshield.redis; // It reads the scripts.
}
