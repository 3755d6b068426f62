package io.heatshield.limit.redis;

import io.heatshield.action.Mode;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.testkit.limit.CounterContract;
import io.heatshield.testkit.limit.CounterSubject;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;

/** Counters in memory keep what every backend keeps, behind the coalescer. */
class CoalescedMemoryCountersTest extends CounterContract {
  private final Coalescers coalescers = new Coalescers();

  /** Returns whether calls are coalesced or only watched. */
  Mode mode() {
    return Mode.ENFORCE;
  }

  @AfterEach
  void stop() {
    coalescers.close();
  }

  @Override
  protected CounterSubject subject(LongSupplier clock) {
    return Counting.subject(coalescers.before(new MemoryCounters(1000, clock), mode()));
  }
}
