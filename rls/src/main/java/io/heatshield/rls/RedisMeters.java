package io.heatshield.rls;

import io.heatshield.limit.OnFailure;
import io.heatshield.limit.fallback.FallbackCounters;
import io.heatshield.redis.Redis;
import io.heatshield.redis.script.Failure;
import io.heatshield.runtime.metrics.Metrics;
import java.util.Locale;

/** Registers the meters of a Redis client, and of the counts that are supplied without Redis. */
final class RedisMeters {
  private RedisMeters() {}

  /**
   * Registers the meters of a client.
   *
   * @param name the value of the tag {@code redis}
   */
  static void bind(Metrics metrics, Redis redis, String name) {
    String[] tags = {"redis", name};
    metrics.gauge(
        "redis.up",
        "1 while every server is connected and answers",
        () -> redis.isUp() ? 1 : 0,
        tags);
    metrics.counter(
        "redis.commands", "Commands requested by callers", () -> redis.stats().commands(), tags);
    metrics.counter(
        "redis.rounds", "Round trips, one per pipeline", () -> redis.stats().rounds(), tags);
    metrics.counter("redis.connects", "Connections made", () -> redis.stats().connects(), tags);
    metrics.counter(
        "redis.breaker.openings",
        "Openings of the circuit breaker",
        () -> redis.stats().breakerOpenings(),
        tags);
    for (Failure failure : Failure.values()) {
      metrics.counter(
          "redis.failures",
          "Commands without a reply, by reason",
          () -> redis.stats().failures().getOrDefault(failure, 0L),
          "redis",
          name,
          "reason",
          failure.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Registers the meters of the fallback. */
  static void bind(Metrics metrics, FallbackCounters fallback) {
    metrics.gauge(
        "limit.degraded",
        "1 if the last count was answered without Redis",
        () -> fallback.isDegraded() ? 1 : 0);
    for (OnFailure policy : OnFailure.values()) {
      metrics.counter(
          "limit.degraded.counts",
          "Counts answered without Redis, by on_failure",
          () -> fallback.degradedAnswers(policy),
          "on_failure",
          policy.label());
    }
  }
}
