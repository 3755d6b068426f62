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
        "limit.hot.promotions", "Counters that became hot", () -> coalescer.stats().promotions());
    metrics.counter(
        "limit.hot.demotions",
        "Counters that cooled or were replaced by another hot counter",
        () -> coalescer.stats().demotions());
    metrics.counter(
        "limit.flights", "Batches sent for hot counters", () -> coalescer.stats().batches());
    metrics.counter(
        "limit.flights.full",
        "Calls sent individually because the batch was full",
        () -> coalescer.stats().overflows());
    metrics.counter(
        "limit.calls.saved", "Redis calls that coalescing saved", () -> action.snapshot().saved());
    metrics.counter(
        "limit.calls.would.save",
        "Redis calls that coalescing would have saved, in mode observe",
        () -> action.snapshot().wouldHaveSaved());
    metrics.sizes("limit_flight_callers", "Callers per batch", callers);
    metrics.latency(
        "limit_flight_wait_seconds", "Time that a caller waited until its batch was sent", waits);
  }
}
