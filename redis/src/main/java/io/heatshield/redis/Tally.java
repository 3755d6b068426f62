package io.heatshield.redis;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What one client has done so far; any thread may raise and read it. */
final class Tally {
  final LongAdder commands = new LongAdder();
  final LongAdder rounds = new LongAdder();
  final LongAdder connects = new LongAdder();
  final LongAdder openings = new LongAdder();
  final LongAdder loads = new LongAdder();
  final LongAdder redirects = new LongAdder();
  private final Map<Failure, LongAdder> failures = new EnumMap<>(Failure.class);

  Tally() {
    for (Failure failure : Failure.values()) {
      failures.put(failure, new LongAdder());
    }
  }

  void failed(Failure failure) {
    LongAdder adder = failures.get(failure);
    if (adder != null) {
      adder.increment();
    }
  }

  RedisStats snapshot() {
    var copy = new EnumMap<Failure, Long>(Failure.class);
    failures.forEach((failure, count) -> copy.put(failure, count.sum()));
    return new RedisStats(
        commands.sum(),
        rounds.sum(),
        connects.sum(),
        openings.sum(),
        loads.sum(),
        redirects.sum(),
        Map.copyOf(copy));
  }
}
