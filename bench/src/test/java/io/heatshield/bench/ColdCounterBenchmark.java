package io.heatshield.bench;

import io.heatshield.action.Savings;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.limit.rule.RuleSet;
import io.heatshield.time.Ticker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One decision on one of a hundred thousand counters, none of them hot, behind a coalescer that is
 * off and one that detects hot counters: the cost for a call without a benefit.
 *
 * <p>No counter turns hot, at any rate. So the small table of first calls is full, and every call
 * reaches the sketch; at a port's usual rates few calls do.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ColdCounterBenchmark {
  private static final int COUNTERS = 100_000;
  private static final int STEP = 38_791;
  private static final long NEVER_HOT = Integer.MAX_VALUE;

  /** The coalescer's mode. */
  @Param({"OFF", "OBSERVE", "ENFORCE"})
  io.heatshield.action.Mode mode = io.heatshield.action.Mode.OFF;

  private final LimitRequest[] requests =
      IntStream.range(0, COUNTERS)
          .mapToObj(user -> Descriptor.of(new DescriptorEntry("user", "user-" + user)))
          .map(descriptor -> new LimitRequest("api", List.of(descriptor), 0))
          .toArray(LimitRequest[]::new);
  private CoalescingCounters coalescer = coalescer(mode);
  private RuleLimiter limiter = limiter(coalescer);
  private int at;

  /** Creates the coalescer of this mode, and a limiter with it. */
  @Setup
  public void make() {
    coalescer = coalescer(mode);
    coalescer.start();
    limiter = limiter(coalescer);
  }

  @TearDown
  public void close() {
    coalescer.close();
  }

  @Benchmark
  public CompletionStage<LimitAnswer> decide() {
    at = (at + STEP) % COUNTERS;
    return limiter.decide(requests[at]);
  }

  private static CoalescingCounters coalescer(io.heatshield.action.Mode mode) {
    CoalesceSettings usual = CoalesceSettings.DEFAULT;
    return new CoalescingCounters(
        new MemoryCounters(1_000_000, System::currentTimeMillis),
        new Savings().action("coalesce", "limits", mode),
        new CoalesceSettings(
            usual.sketchBytes(),
            usual.depth(),
            NEVER_HOT,
            usual.maxKeys(),
            usual.flushWindow(),
            usual.maxBatch(),
            usual.decayInterval()),
        BatchListener.NONE,
        Ticker.system(),
        () -> null);
  }

  private static RuleLimiter limiter(CoalescingCounters counters) {
    Rule rule =
        Rule.of("user", "", new Limit(1_000_000_000, LimitUnit.HOUR, Algorithm.FIXED_WINDOW));
    return RuleLimiter.over(counters).rules(RuleSet.of(Map.of("api", List.of(rule)))).build();
  }
}
