package io.heatshield.limit.coalesce;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.CounterBackend;
import io.heatshield.limit.CounterKey;
import io.heatshield.limit.CounterSink;
import io.heatshield.limit.Limit;
import io.heatshield.time.Ticker;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The coalescer: lets calls for one hot counter share a call to the counters behind it, and gives
 * each caller the count that it would have got alone.
 *
 * <p>N calls that gather become one addition of their sum; from its answer each caller's own count
 * follows, in the order of arrival. However hot a key, at most one call leaves for each flush
 * window. A caller waits at most for the end of the window, and for a call that left before. Fixed
 * windows only: the other algorithms admit or refuse each call by itself, so theirs pass unchanged,
 * as do calls for keys that are not hot.
 *
 * <p>When a call fails, its callers fail and nobody else. A caller that nobody waits for any more
 * is counted all the same, once. Callers that gather are at most sixteen batches for each hot key;
 * one more calls by itself.
 *
 * <p>Any thread may call any method, an event loop among them; only {@link #close} waits.
 */
public final class CoalescingCounters implements CounterBackend, AutoCloseable {
  private final CounterBackend shared;
  private final Action action;
  private final Departures departures;
  private final Hangar hangar;
  private final HotKeys keys;
  private final LongAdder overflows = new LongAdder();

  /**
   * Creates a coalescer, which needs {@link #start} before the first call.
   *
   * @param shared where counters live
   * @param action says by its mode whether calls are coalesced, and counts what that saves
   */
  public CoalescingCounters(
      CounterBackend shared,
      Action action,
      CoalesceSettings settings,
      FlightListener listener,
      Ticker ticker) {
    this(shared, action, settings, listener, ticker, () -> null);
  }

  /**
   * Creates a coalescer for callers that are event loops: what gathers in one turn of a loop leaves
   * at its end, and a loop tells its callers their counts itself.
   *
   * @param loops tells a thread which loop it is; null if it is none
   */
  public CoalescingCounters(
      CounterBackend shared,
      Action action,
      CoalesceSettings settings,
      FlightListener listener,
      Ticker ticker,
      Supplier<@Nullable CallerLoop> loops) {
    this.shared = shared;
    this.action = action;
    this.departures = new Departures(ticker);
    this.hangar =
        new Hangar(shared, action, Terms.of(settings), listener, ticker, departures, loops);
    this.keys = new HotKeys(settings, hangar);
  }

  /** Starts the timer. */
  public void start() {
    departures.start();
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    if (!coalesced(key, limit, hits, clockMillis, sink, slot)) {
      shared.add(key, limit, hits, clockMillis, sink, slot);
    }
  }

  /** Takes other settings, of which threshold, flush window and batch hold from the next call. */
  public void retune(CoalesceSettings next) {
    hangar.terms(Terms.of(next));
  }

  /**
   * Takes the counters that are hot in a whole fleet, hottest first, in place of those given
   * before: each is as hot here from its next call on, whatever it was used, as far as the mode
   * lets it. When it is given no more it cools by its own calls.
   */
  public void hotElsewhere(Collection<CounterKey> hot) {
    keys.hotElsewhere(action.mode() == Mode.OFF ? List.of() : hot);
  }

  /** Halves counts when that is due; call it every second or so. */
  public void maintain() {
    keys.maintain();
  }

  /** Returns the calls for a counter since it turned hot, none if it is not hot. */
  public CoalescedCalls calls(CounterKey key) {
    HotKey hot = keys.set().find(key);
    return hot == null ? CoalescedCalls.NONE : hot.calls();
  }

  /** Returns what was done so far. */
  public CoalesceStats stats() {
    HotSet hot = keys.set();
    return new CoalesceStats(
        hot.size(), hot.promotions(), hot.demotions(), hangar.flights(), overflows.sum());
  }

  /** Lets all that gathers leave at once; calls from now on pass unchanged. */
  @Override
  public void close() {
    departures.close();
  }

  Departures departures() {
    return departures;
  }

  HotKeys keys() {
    return keys;
  }

  /**
   * Returns whether a call was taken over; what is off neither coalesces nor looks for hot keys.
   */
  private boolean coalesced(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    if (limit.algorithm() != Algorithm.FIXED_WINDOW
        || action.mode() == Mode.OFF
        || departures.isClosed()) {
      return false;
    }
    HotKey hot = keys.touch(key);
    if (hot == null) {
      return false;
    }
    long now = hangar.now();
    boolean enforced = action.apply(0);
    hot.applied(enforced);
    if (!enforced) {
      action.wouldHaveSaved(hot.trial.touch(now, hangar.terms().windowNanos()));
      return false;
    }
    var caller = new Caller(limit, hits, clockMillis, now, sink, slot, hangar.loop());
    boolean joined = hot.flights.join(caller);
    if (!joined) {
      overflows.increment();
    }
    return joined;
  }
}
