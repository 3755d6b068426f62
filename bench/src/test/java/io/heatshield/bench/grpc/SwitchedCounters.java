package io.heatshield.bench.grpc;

import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;

/** Counters that switch between two backends. */
final class SwitchedCounters implements CounterBackend {
  private final CounterBackend first;
  private final CounterBackend second;
  private volatile CounterBackend present;

  SwitchedCounters(CounterBackend first, CounterBackend second) {
    this.first = first;
    this.second = second;
    this.present = first;
  }

  void use(boolean useFirst) {
    present = useFirst ? first : second;
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    present.add(key, limit, hits, clockMillis, sink, slot);
  }
}
