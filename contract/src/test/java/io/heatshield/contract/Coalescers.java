package io.heatshield.contract;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Coalescers for which every key is hot from its first call on. */
final class Coalescers implements AutoCloseable {
  private final List<CoalescingCounters> made = new ArrayList<>();

  CoalescingCounters before(CounterBackend counters) {
    return before(counters, Mode.ENFORCE);
  }

  CoalescingCounters before(CounterBackend counters, Mode mode) {
    return before(counters, mode, Duration.ofNanos(300_000));
  }

  CoalescingCounters before(CounterBackend counters, Mode mode, Duration flushWindow) {
    var settings =
        new CoalesceSettings(64 << 10, 4, 1, 100, flushWindow, 1024, Duration.ofSeconds(10));
    var coalescer =
        new CoalescingCounters(
            counters,
            new Savings().action("coalesce", "limits", mode),
            settings,
            BatchListener.NONE,
            Ticker.system(),
            () -> null);
    coalescer.start();
    made.add(coalescer);
    return coalescer;
  }

  @Override
  public void close() {
    made.forEach(CoalescingCounters::close);
  }
}
