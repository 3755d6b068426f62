package io.heatshield.bench;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterKeys;
import io.heatshield.limit.limiter.RateLimiter;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleSet;
import io.heatshield.time.CoarseClock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One decision on a descriptor with counters in memory, and the minimum cost of counting the same
 * key. The time comes from a clock that a timer refreshes every millisecond, as in a server; the
 * cost of the system's own clock is measured as well.
 *
 * <p>Requests are laid out in memory as a port makes them: each text is its own object, next to
 * those that are used with it, in the order of use. Limiters and the rival's map are filled with
 * other requests and keys that are equal but not the same objects.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RateLimiterBenchmark {
  private static final int USERS = 1 << 10;
  private static final int MANY = 1_000_000_000;
  private static final String DOMAIN = "api";

  private final LimitRequest[] requests = requests();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final CoarseClock clock = new CoarseClock(System::currentTimeMillis);
  private final CounterKeys names = new CounterKeys(KeyHash.fast(HashSecret.random()));
  private final CounterKey[] keys = keys(names);
  private final ConcurrentHashMap<CounterKey, Long> map = new ConcurrentHashMap<>();
  private final RateLimiter fixed = limiter(Algorithm.FIXED_WINDOW, MANY, clock);
  private final RateLimiter systemClock =
      limiter(Algorithm.FIXED_WINDOW, MANY, System::currentTimeMillis);
  private final RateLimiter over = limiter(Algorithm.FIXED_WINDOW, 0, clock);
  private final RateLimiter sliding = limiter(Algorithm.SLIDING_WINDOW, MANY, clock);
  private final RateLimiter gcra = limiter(Algorithm.GCRA, MANY, clock);

  /** Creates the counters, and starts the timer that refreshes the clock. */
  @Setup
  public void start() {
    for (LimitRequest request : requests()) {
      for (RateLimiter limiter : List.of(fixed, systemClock, over, sliding, gcra)) {
        var unused = limiter.decide(request);
      }
    }
    for (CounterKey key : keys(names)) {
      map.put(key, 0L);
    }
    var unused = timer.scheduleAtFixedRate(clock::refresh, 1, 1, TimeUnit.MILLISECONDS);
  }

  /** Stops the timer. */
  @TearDown
  public void stop() {
    timer.shutdownNow();
  }

  @Benchmark
  public CompletionStage<LimitAnswer> decide(Cursor cursor) {
    return fixed.decide(requests[cursor.next() & (USERS - 1)]);
  }

  @Benchmark
  public CompletionStage<LimitAnswer> decideSystemClock(Cursor cursor) {
    return systemClock.decide(requests[cursor.next() & (USERS - 1)]);
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

  /** The same counter keys in a simple map that counts exactly. */
  @Benchmark
  public Long rivalCompute(Cursor cursor) {
    return map.compute(
        keys[cursor.next() & (USERS - 1)], (key, count) -> count == null ? 1 : count + 1);
  }

  private static RateLimiter limiter(Algorithm algorithm, long most, LongSupplier clock) {
    Rule rule = Rule.of("user", "", new Limit(most, LimitUnit.HOUR, algorithm));
    return RateLimiter.builder(new MemoryCounters(1_000_000, clock))
        .clockMillis(clock)
        .rules(RuleSet.of(Map.of(DOMAIN, List.of(rule))))
        .build();
  }

  private static LimitRequest[] requests() {
    return IntStream.range(0, USERS)
        .mapToObj(user -> new LimitRequest(text(DOMAIN), List.of(descriptor(user)), 0))
        .toArray(LimitRequest[]::new);
  }

  private static CounterKey[] keys(CounterKeys names) {
    return IntStream.range(0, USERS)
        .mapToObj(user -> descriptor(user).entries())
        .map(path -> names.key(text(DOMAIN), path, LimitUnit.HOUR, Algorithm.FIXED_WINDOW))
        .toArray(CounterKey[]::new);
  }

  private static Descriptor descriptor(int user) {
    return Descriptor.of(new DescriptorEntry(text("user"), "user-" + user));
  }

  /** Returns a text as a port decodes it from the wire, which is not a constant. */
  private static String text(String constant) {
    return new String(constant.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
