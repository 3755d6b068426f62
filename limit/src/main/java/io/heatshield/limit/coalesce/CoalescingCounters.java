package io.heatshield.limit.coalesce;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.time.Ticker;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces concurrent calls for a hot counter into one call to the backend, and gives each caller
 * the exact count that it would have got alone.
 *
 * <p>However hot a counter is, at most one batch is sent for each flush window. A caller waits at
 * most for the end of the window and for a batch sent before. Only fixed windows are coalesced: the
 * other algorithms admit or refuse each call separately. Calls for counters that are not hot go
 * straight to the backend.
 *
 * <p>If a batch fails, only its callers fail. A call whose caller has gone is still counted, once.
 * At most sixteen batches are pending for each counter; one more call is sent alone.
 *
 * <p>Any thread may call any method, including event loops; only {@link #close} blocks.
 */
public final class CoalescingCounters implements CounterBackend, AutoCloseable {
  /** The bytes of a hot counter. */
  public static final int HOT_COUNTER_BYTES = 600;

  final CounterBackend backend;
  final Action action;
  final BatchListener listener;
  final Ticker ticker;
  final FlushTimer timer;
  final LongAdder batches = new LongAdder();

  /** Volatile: replaced as a whole by {@link #retune}, read by every call. */
  volatile CoalesceSettings settings;

  private final Supplier<@Nullable CallerLoop> currentLoop;
  private final HotCounters counters;
  private final LongAdder overflows = new LongAdder();

  /**
   * Creates a coalescer; call {@link #start} before the first call.
   *
   * @param backend where the counters are
   * @param action its mode says whether calls are coalesced; counts the calls saved
   * @param currentLoop returns the event loop that the calling thread runs, or null. The calls of
   *     one turn of a loop share a batch, and their answers are delivered on the loop.
   */
  public CoalescingCounters(
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
    this.counters = new HotCounters(this, settings);
  }

  /** Starts the timer. */
  public void start() {
    timer.start();
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    HotCounter hot = touch(key, limit);
    if (hot != null) {
      var call = new PendingBatch.Call(hits, ticker.nanos(), sink, slot, currentLoop());
      if (hot.batcher.add(limit, clockMillis, call)) {
        return;
      }
      overflows.increment();
    }
    backend.add(key, limit, hits, clockMillis, sink, slot);
  }

  /** Changes the settings; threshold, flush window and batch size hold from the next call. */
  public void retune(CoalesceSettings next) {
    settings = next;
  }

  /**
   * Replaces the counters that are hot in the whole fleet, hottest first. Each is hot here from its
   * next call on, and cools by its own calls once it is no longer given.
   */
  public void hotElsewhere(Collection<CounterKey> hot) {
    counters.hotElsewhere(action.mode() == Mode.OFF ? List.of() : hot);
  }

  /** Halves counts if that is due; call it about every second. */
  public void maintain() {
    counters.maintain();
  }

  /** Returns the calls for a counter since it became hot; none if it is not hot. */
  public CoalescedCalls calls(CounterKey key) {
    HotCounter hot = counters.find(key);
    return hot == null ? CoalescedCalls.NONE : hot.calls();
  }

  /** Returns the totals so far. */
  public CoalesceStats stats() {
    return new CoalesceStats(
        counters.size(),
        counters.promotions(),
        counters.demotions(),
        batches.sum(),
        overflows.sum());
  }

  /** Sends all pending calls; later calls go straight to the backend. */
  @Override
  public void close() {
    timer.close();
  }

  /** Returns the event loop that the calling thread runs, or null. */
  @Nullable CallerLoop currentLoop() {
    return currentLoop.get();
  }

  long windowNanos() {
    return settings.flushWindow().toNanos();
  }

  HotCounters counters() {
    return counters;
  }

  /** Counts a call; returns its counter if the call is to be coalesced. */
  private @Nullable HotCounter touch(CounterKey key, Limit limit) {
    if (limit.algorithm() != Algorithm.FIXED_WINDOW
        || action.mode() == Mode.OFF
        || timer.isClosed()) {
      return null;
    }
    HotCounter hot = counters.touch(key);
    if (hot == null) {
      return null;
    }
    boolean enforced = action.apply(0);
    hot.countCall(enforced);
    if (!enforced) {
      boolean saved = hot.wouldJoinBatch(ticker.nanos(), windowNanos());
      action.wouldHaveSaved(saved ? 1 : 0);
      return null;
    }
    return hot;
  }
}
