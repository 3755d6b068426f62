package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Counting;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.testkit.limit.CounterContract;
import io.heatshield.testkit.limit.CounterSubject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of backends, for coalesced counters in memory. */
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
    CounterKey key = Counting.key("most hits", "k", limit);
    CoalescingCounters counters =
        coalescers.before(new MemoryCounters(1000, () -> now), mode(), Duration.ofSeconds(1));

    List<CompletableFuture<Long>> result =
        IntStream.range(0, 6)
            .mapToObj(i -> Counting.add(counters, key, limit, 0xffff_ffffL, now))
            .toList();
    counters.close();

    assertThat(result).allMatch(count -> count.join() > limit.requestsPerUnit());
  }

  @Override
  protected CounterSubject subject(LongSupplier clock) {
    return Counting.subject(coalescers.before(new MemoryCounters(1000, clock), mode()));
  }
}
