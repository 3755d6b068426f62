package io.heatshield.redis.command;

import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one client. Any thread may increment and read them. */
public final class ClientCounters {
  public final LongAdder commands = new LongAdder();
  public final LongAdder redirects = new LongAdder();
  final LongAdder rounds = new LongAdder();
  final LongAdder connects = new LongAdder();
  final LongAdder breakerOpenings = new LongAdder();
  final LongAdder scriptLoads = new LongAdder();
  private final Map<Failure, LongAdder> failures = new ConcurrentHashMap<>();

  void failed(Failure failure) {
    failures.computeIfAbsent(failure, none -> new LongAdder()).increment();
  }

  /** Returns the present totals. */
  public RedisStats snapshot() {
    Map<Failure, Long> failed = new EnumMap<>(Failure.class);
    failures.forEach((failure, count) -> failed.put(failure, count.sum()));
    return new RedisStats(
        commands.sum(),
        rounds.sum(),
        connects.sum(),
        breakerOpenings.sum(),
        scriptLoads.sum(),
        redirects.sum(),
        Map.copyOf(failed));
  }
}
