package io.heatshield.bench.grpc;

import io.heatshield.limit.Limit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters that record the latency of each count, by phase: the part of an answer's latency without
 * the network and the port.
 */
final class TimedCounters implements CounterBackend {
  private final CounterBackend counters;
  private final Map<String, Latencies> phases = new ConcurrentHashMap<>();
  private volatile Latencies present = new Latencies();

  TimedCounters(CounterBackend counters) {
    this.counters = counters;
  }

  /** Begins or continues a phase. */
  void phase(String name) {
    present = phases.computeIfAbsent(name, unused -> new Latencies());
  }

  /** Returns the count, p50, p99 and p99.9 in milliseconds of a phase, as cells of a table. */
  String cells(String phase) {
    Latencies all = phases.getOrDefault(phase, new Latencies());
    return String.format(
        Locale.ROOT,
        "%d | %.3f | %.3f | %.3f",
        all.size(),
        all.millis(0.5),
        all.millis(0.99),
        all.millis(0.999));
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    counters.add(key, limit, hits, clockMillis, new Timed(sink, present), slot);
  }

  private static final class Timed implements CounterSink {
    private final long began = System.nanoTime();
    private final CounterSink sink;
    private final Latencies latencies;

    Timed(CounterSink sink, Latencies latencies) {
      this.sink = sink;
      this.latencies = latencies;
    }

    @Override
    public void counted(int slot, long count) {
      latencies.record(System.nanoTime() - began);
      sink.counted(slot, count);
    }

    @Override
    public void degraded(int slot, OnFailure policy, long count) {
      latencies.record(System.nanoTime() - began);
      sink.degraded(slot, policy, count);
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      latencies.record(System.nanoTime() - began);
      sink.failed(slot, reason);
    }
  }
}
