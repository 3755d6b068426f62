package io.heatshield.rls;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.LimitsSettings;
import io.heatshield.config.RedisSettings;
import io.heatshield.config.Settings;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescedCalls;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.LocalCounters;
import io.heatshield.limit.redis.FallbackCounters;
import io.heatshield.limit.redis.RedisCounters;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.runtime.health.Health;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.MachineName;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Counters in Redis as the server has them: the policy for when Redis does not answer, before the
 * coalescer, before the counters, before one client or two.
 */
final class RedisBackend implements AutoCloseable {
  private static final Duration PATIENCE_AT_START = Duration.ofSeconds(2);

  private final Redis redis;
  private final @Nullable Redis perSecond;
  private final Action action;
  private final CoalescingCounters coalescer;
  private final FallbackCounters fallback;
  private final Health.Check health;
  private boolean wasUp;

  private RedisBackend(
      Redis redis,
      @Nullable Redis perSecond,
      Settings settings,
      LimitsSettings limits,
      LocalCounters local,
      Savings savings,
      Metrics metrics,
      Health.Check health) {
    this.redis = redis;
    this.perSecond = perSecond;
    this.health = health;
    action = savings.action("coalesce", "limits", limits.hotKeys().mode());
    var counters =
        new RedisCounters(
            redis,
            perSecond == null ? redis : perSecond,
            limits.expirationJitter(),
            limits.cacheKeyPrefix());
    var meters = new CoalesceMeters();
    coalescer =
        new CoalescingCounters(
            counters, action, terms(limits.hotKeys()), meters, Ticker.system(), HomeLoop::current);
    fallback = new FallbackCounters(coalescer, local, policy(settings.redis()));
    RedisMeters.bind(metrics, redis, "main");
    if (perSecond != null) {
      RedisMeters.bind(metrics, perSecond, "per_second");
    }
    RedisMeters.bind(metrics, fallback);
    meters.bind(metrics, coalescer, action);
    if (redis.awaitUp(PATIENCE_AT_START)) {
      WarmUp.run(counters);
    }
    coalescer.start();
    report();
  }

  /**
   * Connects; a Redis that does not answer is waited for a short while only.
   *
   * @param local takes over if the policy says so
   * @param health is told whether Redis answers
   * @throws IOException if there is no way to such a Redis
   */
  static RedisBackend open(
      Settings settings,
      LimitsSettings limits,
      LocalCounters local,
      Savings savings,
      Metrics metrics,
      Health.Check health)
      throws IOException {
    RedisUrl url = settings.redis().url();
    if (url == null) {
      throw new IOException("limits.backend: redis needs redis.url");
    }
    Redis redis = client("redis.url", url, settings.redis());
    RedisUrl second = settings.redis().perSecondUrl();
    Redis perSecond = null;
    try {
      perSecond = second == null ? null : client("redis.per_second_url", second, settings.redis());
      return new RedisBackend(redis, perSecond, settings, limits, local, savings, metrics, health);
    } catch (IOException | IllegalArgumentException e) {
      redis.close();
      if (perSecond != null) {
        perSecond.close();
      }
      throw e instanceof IOException known
          ? known
          : new IOException("limits: " + e.getMessage(), e);
    }
  }

  /** Returns what the limiter counts in. */
  CounterBackend counters() {
    return fallback;
  }

  /** Returns the commands that were asked of Redis. */
  long commands() {
    return redis.stats().commands() + (perSecond == null ? 0 : perSecond.stats().commands());
  }

  /** Hands counters that are hot in the whole fleet to the coalescer. */
  void hotElsewhere(Collection<CounterKey> hot) {
    coalescer.hotElsewhere(hot);
  }

  /** Returns the calls for a counter that were coalesced, or would have been. */
  CoalescedCalls calls(CounterKey key) {
    return coalescer.calls(key);
  }

  /** Halves the counts of hot keys when that is due, and reports whether Redis answers. */
  void maintain() {
    coalescer.maintain();
    report();
  }

  /** Applies what may change while the server runs. */
  void retune(Settings settings, LimitsSettings limits) {
    fallback.policy(policy(settings.redis()));
    action.mode(limits.hotKeys().mode());
    coalescer.retune(terms(limits.hotKeys()));
  }

  @Override
  public void close() {
    coalescer.close();
    redis.close();
    if (perSecond != null) {
      perSecond.close();
    }
  }

  /** Reports; not ready before Redis has answered once, and later only if limits then refuse. */
  private synchronized void report() {
    boolean up = redis.isUp() && (perSecond == null || perSecond.isUp());
    wasUp |= up;
    if (up) {
      health.pass();
    } else if (!wasUp) {
      health.fail("has not answered yet");
    } else if (fallback.policy() == OnFailure.CLOSED) {
      health.fail("does not answer, and on_failure: closed refuses");
    } else {
      health.warn("does not answer, on_failure: " + fallback.policy().label() + " does");
    }
  }

  private static Redis client(String setting, RedisUrl url, RedisSettings settings)
      throws IOException {
    try {
      return Redis.builder(url.named(MachineName.ofConnection("limits")))
          .budget(settings.timeout())
          .open();
    } catch (IllegalArgumentException e) {
      throw new IOException(setting + ": " + e.getMessage(), e);
    }
  }

  private static OnFailure policy(RedisSettings settings) {
    return switch (settings.onFailure()) {
      case LOCAL -> OnFailure.LOCAL;
      case OPEN -> OnFailure.OPEN;
      case CLOSED -> OnFailure.CLOSED;
    };
  }

  private static CoalesceSettings terms(LimitsSettings.HotKeys settings) {
    return new CoalesceSettings(
        settings.sketchMemory().bytes(),
        settings.depth(),
        settings.threshold(),
        settings.maxKeys(),
        settings.flushWindow(),
        settings.maxBatch(),
        settings.decayInterval());
  }
}
