package io.heatshield.limit.coalesce;

import io.heatshield.action.Action;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.time.Ticker;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the batchers of all counters share: backend, settings, timer and metrics. */
final class BatchContext {
  final CounterBackend backend;
  final Action action;
  final BatchListener listener;
  final Ticker ticker;
  final FlushTimer timer;
  final LongAdder batches = new LongAdder();
  private final Supplier<@Nullable CallerLoop> currentLoop;

  /** Volatile: replaced as a whole by {@link CoalescingCounters#retune}, read by every call. */
  volatile CoalesceSettings settings;

  BatchContext(
      CounterBackend backend,
      Action action,
      CoalesceSettings settings,
      BatchListener listener,
      Ticker ticker,
      Supplier<@Nullable CallerLoop> currentLoop) {
    this.backend = backend;
    this.action = action;
    this.settings = settings;
    this.listener = listener;
    this.ticker = ticker;
    this.timer = new FlushTimer(ticker);
    this.currentLoop = currentLoop;
  }

  /** Returns the event loop that the calling thread runs, or null. */
  @Nullable CallerLoop currentLoop() {
    return currentLoop.get();
  }

  long windowNanos() {
    return settings.flushWindow().toNanos();
  }
}
