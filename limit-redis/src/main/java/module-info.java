/** Keeps counters of rate limits in Redis. */
module io.heatshield.limit.redis {
  requires static org.jspecify;
  requires transitive io.heatshield.limit;
  requires transitive io.heatshield.redis;

  exports io.heatshield.limit.redis;

  opens io.heatshield.limit.redis to
      io.heatshield.redis; // It reads the scripts.
}
