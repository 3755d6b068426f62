package io.heatshield.limit.memory;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.testkit.limit.CounterContract;
import io.heatshield.testkit.limit.CounterSubject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** The contract of backends, for the memory backend. */
class MemoryCountersContractTest extends CounterContract {

  @Override
  protected CounterSubject subject(LongSupplier clock) {
    var counters = new MemoryCounters(100, clock);
    return (key, unit, algorithm, limit, hits, clockMillis) -> {
      var result = new CompletableFuture<Long>();
      var by =
          new Limit(
              limit, LimitUnit.parse(unit).orElseThrow(), Algorithm.parse(algorithm).orElseThrow());
      CounterKey name = CounterKey.of("domain", List.of(new DescriptorEntry(key, "")), by);
      counters.add(name, by, hits, clockMillis, new FutureSink(result), 7);
      return result;
    };
  }

  private record FutureSink(CompletableFuture<Long> count) implements CounterSink {
    @Override
    public void counted(int slot, long value) {
      if (slot == 7) {
        count.complete(value);
      }
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      count.completeExceptionally(reason);
    }
  }
}
