package io.heatshield.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.limit.memory.MemoryCounters;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of back ends, for coalesced counters in memory. */
class CoalescedMemoryCountersTest extends CounterContract {
  private final Coalescers coalescers = new Coalescers();

  /** Returns the mode of the coalescer. */
  Mode mode() {
    return Mode.ENFORCE;
  }

  @AfterEach
  void stop() {
    coalescers.close();
  }

  @Test
  void add_maximumHitsOfConcurrentCallers_exceedsTheLimitForEach() {
    long now = 1_700_000_040_000L;
    var limit = new Limit(10, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW);
    CounterKey key = CounterKey.of("most hits", List.of(new DescriptorEntry("k", "")), limit);
    CoalescingCounters counters =
        coalescers.before(new MemoryCounters(1000, () -> now), mode(), Duration.ofSeconds(1));
    var counts = new Counts();

    for (int i = 0; i < 6; i++) {
      counters.add(key, limit, 0xffff_ffffL, now, counts, i);
    }
    counters.close();

    assertThat(counts.all).hasSize(6).allMatch(count -> count > limit.requestsPerUnit());
  }

  @Override
  protected CounterBackend backend(LongSupplier clockMillis) {
    return coalescers.before(new MemoryCounters(1000, clockMillis), mode());
  }

  private static final class Counts implements CounterSink {
    final Queue<Long> all = new ConcurrentLinkedQueue<>();

    @Override
    public void counted(int slot, long count) {
      all.add(count);
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      throw new AssertionError(reason);
    }
  }
}
