/**
 * Connects to a Redis, a cluster or sentinels. Rate limits and stores that keep their data in Redis
 * share it.
 */
@SuppressWarnings("requires-automatic") // Jedis states its name.
module io.heatshield.redis {
  requires static org.jspecify;
  requires org.slf4j;
  requires redis.clients.jedis;
  requires transitive io.heatshield.core;

  exports io.heatshield.redis;
  exports io.heatshield.redis.script;
}
