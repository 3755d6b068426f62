package io.heatshield.cli.demo;

import io.heatshield.cli.demo.load.LoadMeter;
import io.heatshield.cli.demo.store.StoreUnderTest;
import io.heatshield.runtime.metrics.LatencyHistogram;

/** Takes snapshots of all counters; two snapshots give a {@link Measure}. */
final class Gauge {
  private static final double MILLION = 1e6;
  private static final double BILLION = 1e9;

  private final LoadMeter others;
  private final LoadMeter attack;
  private final StoreUnderTest store;

  Gauge(LoadMeter others, LoadMeter attack, StoreUnderTest store) {
    this.others = others;
    this.attack = attack;
    this.store = store;
  }

  /** Returns a snapshot of the counters. */
  Moment now() {
    return new Moment(
        System.nanoTime(),
        others.snapshot(),
        attack.snapshot(),
        store.calls(),
        store.attackCalls());
  }

  /** A snapshot of the counters. */
  record Moment(
      long nanos,
      LoadMeter.Snapshot others,
      LoadMeter.Snapshot attack,
      long storeCalls,
      long attackStoreCalls) {

    /** Returns the rates between this snapshot and a later one. */
    Measure until(Moment later) {
      double seconds = Math.max(1, later.nanos - nanos) / BILLION;
      return new Measure(
          (later.attack.sent() + later.attack.skipped() - attack.sent() - attack.skipped())
              / seconds,
          (later.attack.answered() - attack.answered()) / seconds,
          (later.attack.throttled() - attack.throttled()) / seconds,
          (later.attack.errors() - attack.errors()) / seconds,
          Math.max(0, later.attackStoreCalls - attackStoreCalls) / seconds,
          (later.storeCalls - storeCalls) / seconds,
          (later.others.sent() + later.others.skipped() - others.sent() - others.skipped())
              / seconds,
          (later.others.errors() - others.errors()) / seconds,
          millis(later, 0.5),
          millis(later, 0.99));
    }

    /** Returns a quantile of the other users' latencies up to a later snapshot, or 0. */
    private double millis(Moment later, double quantile) {
      long[] counts = later.others.latencies().clone();
      for (int i = 0; i < counts.length; i++) {
        counts[i] -= others.latencies()[i];
      }
      double nanos = LatencyHistogram.quantileNanos(counts, quantile);
      return Double.isNaN(nanos) ? 0 : nanos / MILLION;
    }
  }
}
