package io.heatshield.contract;

import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.function.LongSupplier;

/** The contract of back ends, for counters in memory. */
class MemoryCountersContractTest extends CounterContract {
  @Override
  protected CounterBackend backend(LongSupplier clockMillis) {
    return new MemoryCounters(100, clockMillis);
  }
}
