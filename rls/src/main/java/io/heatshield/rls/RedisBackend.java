package io.heatshield.rls;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.RedisSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescedCalls;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.fallback.FallbackCounters;
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
 * The server's counters in Redis: the fallback for when Redis fails, in front of the coalescer, the
 * counters, and one or two Redis clients.
 */
final class RedisBackend implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(2);

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
      MemoryCounters local,
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
            counters,
            action,
            coalesceSettings(limits.hotKeys()),
            meters,
            Ticker.system(),
            HomeLoop::current);
    fallback = new FallbackCounters(coalescer, local, policy(settings.redis()));
    RedisMeters.bind(metrics, redis, "main");
    if (perSecond != null) {
      RedisMeters.bind(metrics, perSecond, "per_second");
    }
    RedisMeters.bind(metrics, fallback);
    meters.bind(metrics, coalescer, action);
    if (redis.awaitUp(START_TIMEOUT)) {
      WarmUp.run(counters);
    }
    coalescer.start();
    report();
  }

  /**
   * Connects; waits at most two seconds for a Redis that does not answer.
   *
   * @param local counts if Redis fails and the policy is to count locally
   * @param health reports whether Redis answers
   * @throws IOException if the settings do not fit
   */
  static RedisBackend open(
      Settings settings,
      LimitsSettings limits,
      MemoryCounters local,
      Savings savings,
      Metrics metrics,
      Health.Check health)
      throws IOException {
    RedisUrl url = settings.redis().url();
    if (url == null) {
      throw new IOException("limits.backend: redis needs redis.url");
    }
    Redis redis = client(url, settings.redis());
    RedisUrl second = settings.redis().perSecondUrl();
    Redis perSecond = second == null ? null : client(second, settings.redis());
    try {
      return new RedisBackend(redis, perSecond, settings, limits, local, savings, metrics, health);
    } catch (IllegalArgumentException e) {
      redis.close();
      if (perSecond != null) {
        perSecond.close();
      }
      throw new IOException("limits: " + e.getMessage(), e);
    }
  }

  /** Returns the backend for the limiter. */
  CounterBackend counters() {
    return fallback;
  }

  /** Returns the number of commands that were submitted to Redis. */
  long commands() {
    return redis.stats().commands() + (perSecond == null ? 0 : perSecond.stats().commands());
  }

  /** Passes the counters that are hot in the whole fleet to the coalescer. */
  void hotElsewhere(Collection<CounterKey> hot) {
    coalescer.hotElsewhere(hot);
  }

  /** Returns the calls for a counter that were coalesced, or would have been. */
  CoalescedCalls calls(CounterKey key) {
    return coalescer.calls(key);
  }

  /** Halves the counts of hot keys if that is due, and reports whether Redis answers. */
  void maintain() {
    coalescer.maintain();
    report();
  }

  /** Applies the settings that may change at run time. */
  void retune(Settings settings, LimitsSettings limits) {
    fallback.policy(policy(settings.redis()));
    action.mode(limits.hotKeys().mode());
    coalescer.retune(coalesceSettings(limits.hotKeys()));
  }

  @Override
  public void close() {
    coalescer.close();
    redis.close();
    if (perSecond != null) {
      perSecond.close();
    }
  }

  /** Reports to health: fails until Redis has answered once, and later only if limits refuse. */
  private synchronized void report() {
    boolean up = redis.isUp() && (perSecond == null || perSecond.isUp());
    wasUp |= up;
    if (up) {
      health.pass();
    } else if (!wasUp) {
      health.fail("has not answered yet");
    } else if (fallback.policy() == OnFailure.CLOSED) {
      health.fail("does not answer; on_failure: closed rejects all calls");
    } else {
      health.warn(
          "does not answer; calls are answered by on_failure: " + fallback.policy().label());
    }
  }

  private static Redis client(RedisUrl url, RedisSettings settings) {
    return Redis.builder(url.named(MachineName.ofConnection("limits")))
        .budget(settings.timeout())
        .open();
  }

  private static OnFailure policy(RedisSettings settings) {
    return switch (settings.onFailure()) {
      case LOCAL -> OnFailure.LOCAL;
      case OPEN -> OnFailure.OPEN;
      case CLOSED -> OnFailure.CLOSED;
    };
  }

  private static CoalesceSettings coalesceSettings(LimitsSettings.HotKeys settings) {
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
