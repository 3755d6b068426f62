package io.heatshield.bench.grpc;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.redis.FallbackCounters;
import io.heatshield.limit.redis.RedisCounters;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.rls.HomeLoop;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Our port as a server has it whose counters live in Redis. */
// The end of the upkeep is that of the process.
@SuppressWarnings("FutureReturnValueIgnored")
final class RedisLimitPort implements AutoCloseable {
  private final Redis redis;
  private final Action action;
  private final CoalescingCounters coalescer;
  private final FallbackCounters fallback;
  private final ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor();
  private final TimedCounters timed;
  private final SwitchedCounters switched;
  private final LimitPort port;

  /**
   * Opens a port.
   *
   * @param mode that of the coalescer
   * @param budget how long an answer may wait for Redis
   * @param times whether it is taken down how long counts are waited for
   */
  RedisLimitPort(URI uri, Mode mode, CoalesceSettings settings, Duration budget, boolean times)
      throws IOException {
    redis = Redis.builder(RedisUrl.parse(uri.toString())).budget(budget).open();
    awaitUp();
    action = new Savings().action("coalesce", "limits", mode);
    coalescer =
        new CoalescingCounters(
            new RedisCounters(redis, Duration.ofMinutes(5)),
            action,
            settings,
            BatchListener.NONE,
            Ticker.system(),
            HomeLoop::current);
    coalescer.start();
    // As a server does, or every key would be hot one day.
    upkeep.scheduleAtFixedRate(coalescer::maintain, 1, 1, TimeUnit.SECONDS);
    fallback =
        new FallbackCounters(
            coalescer, new MemoryCounters(1_000_000, System::currentTimeMillis), OnFailure.LOCAL);
    timed = new TimedCounters(fallback);
    switched =
        new SwitchedCounters(
            times ? timed : fallback, new MemoryCounters(1_000_000, System::currentTimeMillis));
    port = new LimitPort(switched);
  }

  InetSocketAddress address() {
    return port.address();
  }

  /** Sets the mode of the coalescer, as a server does that reads its configuration again. */
  void mode(Mode next) {
    action.mode(next);
  }

  /** Counts in Redis, or in memory as a port without Redis does. */
  void countIn(boolean inRedis) {
    switched.use(inRedis);
  }

  /** Waits until Redis answers. */
  void awaitUp() {
    if (!redis.awaitUp(Duration.ofSeconds(10))) {
      throw new IllegalStateException("Redis is not up");
    }
  }

  /** Returns how long counts were waited for, if that is taken down. */
  TimedCounters timed() {
    return timed;
  }

  /** Returns how many counts were answered without Redis. */
  long degraded() {
    return fallback.degradedAnswers(OnFailure.LOCAL);
  }

  @Override
  public void close() {
    port.close();
    upkeep.shutdownNow();
    coalescer.close();
    redis.close();
  }
}
