package io.heatshield.rls;

import io.heatshield.action.Action;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.runtime.metrics.LatencyHistogram;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.metrics.SizeHistogram;

/** Records and registers the meters of the coalescer. */
final class CoalesceMeters implements BatchListener {
  private final SizeHistogram callers = new SizeHistogram();
  private final LatencyHistogram waits = new LatencyHistogram();

  @Override
  public void sent(int count) {
    callers.record(count);
  }

  @Override
  public void waited(long nanos) {
    waits.record(nanos);
  }

  void bind(Metrics metrics, CoalescingCounters coalescer, Action action) {
    metrics.gauge("limit.hot.keys", "Counters that are hot now", () -> coalescer.stats().hotKeys());
    metrics.counter(
        "limit.hot.promotions",
        "Times that a counter turned hot",
        () -> coalescer.stats().promotions());
    metrics.counter(
        "limit.hot.demotions",
        "Times that a counter cooled or lost its place to another",
        () -> coalescer.stats().demotions());
    metrics.counter(
        "limit.flights",
        "Calls that left for one or more callers of a hot counter",
        () -> coalescer.stats().batches());
    metrics.counter(
        "limit.flights.full",
        "Callers that found no room to gather and called by themselves",
        () -> coalescer.stats().overflows());
    metrics.counter(
        "limit.calls.saved", "Redis calls that coalescing saved", () -> action.snapshot().saved());
    metrics.counter(
        "limit.calls.would.save",
        "Redis calls that coalescing would have saved while it only observed",
        () -> action.snapshot().wouldHaveSaved());
    metrics.sizes("limit_flight_callers", "Callers that shared a flight", callers);
    metrics.latency(
        "limit_flight_wait_seconds", "What a caller waited for its flight to leave", waits);
  }
}
