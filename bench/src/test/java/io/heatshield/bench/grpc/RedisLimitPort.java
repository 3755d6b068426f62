package io.heatshield.bench.grpc;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.fallback.FallbackCounters;
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

/** Our port as in a server whose counters are in Redis. */
// The maintenance ends with the process.
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
   * @param mode the mode of the coalescer
   * @param budget the maximum time that an answer waits for Redis
   * @param times whether the latencies of counts are recorded
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
    // As in a server, or every key would become hot in the end.
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

  /** Sets the mode of the coalescer, as a reload of the configuration does. */
  void mode(Mode next) {
    action.mode(next);
  }

  /** Counts in Redis, or in memory. */
  void countIn(boolean inRedis) {
    switched.use(inRedis);
  }

  /** Waits until Redis answers. */
  void awaitUp() {
    if (!redis.awaitUp(Duration.ofSeconds(10))) {
      throw new IllegalStateException("Redis is not up");
    }
  }

  /** Returns the latencies of counts, if they are recorded. */
  TimedCounters timed() {
    return timed;
  }

  /** Returns the number of counts that were answered without Redis. */
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
