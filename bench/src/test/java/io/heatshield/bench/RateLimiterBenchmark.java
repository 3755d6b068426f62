package io.heatshield.bench;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.CounterKey;
import io.heatshield.limit.CounterKeys;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.Entry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.RateLimiter;
import io.heatshield.limit.Rule;
import io.heatshield.limit.RuleSet;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One descriptor decided on counters in memory, and the least that a count of the same key costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RateLimiterBenchmark {
  private static final int USERS = 1 << 10;
  private static final String DOMAIN = "api";

  private final LimitRequest[] requests =
      IntStream.range(0, USERS)
          .mapToObj(
              user ->
                  new LimitRequest(
                      DOMAIN, List.of(Descriptor.of(new Entry("user", "user-" + user))), 0))
          .toArray(LimitRequest[]::new);
  private final CounterKey[] keys = keys();
  private final ConcurrentHashMap<CounterKey, Long> map = new ConcurrentHashMap<>();
  private final RateLimiter fixed = limiter(Algorithm.FIXED_WINDOW, 1_000_000_000);
  private final RateLimiter over = limiter(Algorithm.FIXED_WINDOW, 0);
  private final RateLimiter sliding = limiter(Algorithm.SLIDING_WINDOW, 1_000_000_000);
  private final RateLimiter gcra = limiter(Algorithm.GCRA, 1_000_000_000);

  @Benchmark
  public CompletionStage<LimitAnswer> decide(Cursor cursor) {
    return fixed.decide(requests[cursor.next() & (USERS - 1)]);
  }

  @Benchmark
  public CompletionStage<LimitAnswer> decideOver(Cursor cursor) {
    return over.decide(requests[cursor.next() & (USERS - 1)]);
  }

  @Benchmark
  public CompletionStage<LimitAnswer> decideSliding(Cursor cursor) {
    return sliding.decide(requests[cursor.next() & (USERS - 1)]);
  }

  @Benchmark
  public CompletionStage<LimitAnswer> decideGcra(Cursor cursor) {
    return gcra.decide(requests[cursor.next() & (USERS - 1)]);
  }

  /** The same counter keys in the plainest map that counts exactly. */
  @Benchmark
  public Long rivalCompute(Cursor cursor) {
    return map.compute(
        keys[cursor.next() & (USERS - 1)], (key, count) -> count == null ? 1 : count + 1);
  }

  private static RateLimiter limiter(Algorithm algorithm, long most) {
    Rule rule = Rule.of("user", "", new Limit(most, LimitUnit.HOUR, algorithm));
    return RateLimiter.builder(new MemoryCounters(1_000_000, System::currentTimeMillis))
        .rules(RuleSet.of(Map.of(DOMAIN, List.of(rule))))
        .build();
  }

  private static CounterKey[] keys() {
    var keys = new CounterKeys(KeyHash.fast(HashSecret.random()));
    return IntStream.range(0, USERS)
        .mapToObj(user -> List.of(new Entry("user", "user-" + user)))
        .map(path -> keys.key(DOMAIN, path, LimitUnit.HOUR, Algorithm.FIXED_WINDOW))
        .toArray(CounterKey[]::new);
  }
}
