package io.heatshield.rls;

import io.heatshield.limit.OnFailure;
import io.heatshield.limit.redis.FallbackCounters;
import io.heatshield.redis.Redis;
import io.heatshield.redis.command.Failure;
import io.heatshield.runtime.metrics.Metrics;
import java.util.Locale;

/** The meters of the way to Redis, and of what is answered without it. */
final class RedisMeters {
  private RedisMeters() {}

  /**
   * Shows what a client does.
   *
   * @param name which one, a word of ours
   */
  static void bind(Metrics metrics, Redis redis, String name) {
    metrics.gauge(
        "redis.up",
        "Whether every server is connected and answers",
        () -> redis.isUp() ? 1 : 0,
        "redis",
        name);
    metrics.counter(
        "redis.commands",
        "Commands that were asked for",
        () -> redis.stats().commands(),
        "redis",
        name);
    metrics.counter(
        "redis.rounds",
        "Round trips, each of one pipeline",
        () -> redis.stats().rounds(),
        "redis",
        name);
    metrics.counter(
        "redis.connects",
        "Connections that were made",
        () -> redis.stats().connects(),
        "redis",
        name);
    metrics.counter(
        "redis.breaker.openings",
        "Times that the breaker opened",
        () -> redis.stats().breakerOpenings(),
        "redis",
        name);
    for (Failure failure : Failure.values()) {
      metrics.counter(
          "redis.failures",
          "Commands without an answer, by reason",
          () -> redis.stats().failures().getOrDefault(failure, 0L),
          "redis",
          name,
          "reason",
          failure.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Shows what was answered without Redis. */
  static void bind(Metrics metrics, FallbackCounters fallback) {
    metrics.gauge(
        "limit.degraded",
        "Whether the last count was answered without Redis",
        () -> fallback.isDegraded() ? 1 : 0);
    for (OnFailure policy : OnFailure.values()) {
      metrics.counter(
          "limit.degraded.counts",
          "Counts that were answered without Redis, by on_failure",
          () -> fallback.degradedAnswers(policy),
          "on_failure",
          policy.label());
    }
  }
}
