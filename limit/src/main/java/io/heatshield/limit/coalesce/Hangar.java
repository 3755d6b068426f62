package io.heatshield.limit.coalesce;

import io.heatshield.action.Action;
import io.heatshield.limit.CounterBackend;
import io.heatshield.limit.CounterKey;
import io.heatshield.limit.CounterSink;
import io.heatshield.time.Ticker;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the flights of all keys share: where they go, by which terms, and who counts them. */
final class Hangar {
  /*
   * terms   read: volatile, on every call   written: volatile, when they are changed
   */
  private final CounterBackend shared;
  private final Action action;
  private final FlightListener listener;
  private final Ticker ticker;
  private final Departures departures;
  private final Supplier<@Nullable CallerLoop> loops;
  private final LongAdder flights = new LongAdder();
  private volatile Terms terms;

  Hangar(
      CounterBackend shared,
      Action action,
      Terms terms,
      FlightListener listener,
      Ticker ticker,
      Departures departures,
      Supplier<@Nullable CallerLoop> loops) {
    this.shared = shared;
    this.action = action;
    this.terms = terms;
    this.listener = listener;
    this.ticker = ticker;
    this.departures = departures;
    this.loops = loops;
  }

  long now() {
    return ticker.nanos();
  }

  Terms terms() {
    return terms;
  }

  void terms(Terms next) {
    terms = next;
  }

  boolean isClosed() {
    return departures.isClosed();
  }

  /** Has a key's flights looked at when they are due. */
  void remind(Flights flightsOfKey) {
    departures.add(flightsOfKey);
  }

  /** Has a key's flights looked at later, should the loop not do it that was asked to. */
  void watch(Flights flightsOfKey) {
    departures.watch(flightsOfKey);
  }

  /** Returns the event loop that the calling thread is, if it is one. */
  @Nullable CallerLoop loop() {
    return loops.get();
  }

  /** Counts a flight that leaves. */
  void departed(Caller run) {
    flights.increment();
    action.saved(run.inRun() - 1L);
    listener.departed(run.inRun());
  }

  /** Takes how long a caller has waited for its flight to leave. */
  void waited(long nanos) {
    listener.waited(nanos);
  }

  /** Adds the hits of a run; callers of one key have one unit, so any of their limits ends it. */
  void send(CounterKey key, Caller run, long lateNanos, CounterSink flight) {
    shared.addLate(key, run.limit, run.sum(), run.clockMillis, lateNanos, flight, 0);
  }

  long flights() {
    return flights.sum();
  }
}
