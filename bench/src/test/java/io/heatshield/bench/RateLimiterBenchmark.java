package io.heatshield.bench;

import io.heatshield.action.Admission;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.memory.RateLimiter;
import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.limit.rule.RuleSet;
import io.heatshield.time.CoarseClock;
import io.heatshield.time.Rate;
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
  private static final Limit HOURLY = new Limit(MANY, LimitUnit.HOUR, Algorithm.FIXED_WINDOW);

  private final LimitRequest[] requests = requests();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final CoarseClock clock = new CoarseClock(System::currentTimeMillis);
  private final CounterKey[] keys = keys();
  private final ConcurrentHashMap<CounterKey, Long> map = new ConcurrentHashMap<>();
  private final RuleLimiter fixed = limiter(Algorithm.FIXED_WINDOW, MANY, clock);
  private final RuleLimiter systemClock =
      limiter(Algorithm.FIXED_WINDOW, MANY, System::currentTimeMillis);
  private final RuleLimiter over = limiter(Algorithm.FIXED_WINDOW, 0, clock);
  private final RuleLimiter sliding = limiter(Algorithm.SLIDING_WINDOW, MANY, clock);
  private final RuleLimiter gcra = limiter(Algorithm.GCRA, MANY, clock);
  private final RateLimiter keysSliding = keyLimiter(Algorithm.SLIDING_WINDOW);
  private final RateLimiter keysGcra = keyLimiter(Algorithm.GCRA);
  private final RateLimiter keysOver = keyLimiter(Algorithm.SLIDING_WINDOW, 1);
  private final String[] users = users();

  /** Creates the counters, and starts the timer that refreshes the clock. */
  @Setup
  public void start() {
    for (LimitRequest request : requests()) {
      for (RuleLimiter limiter : List.of(fixed, systemClock, over, sliding, gcra)) {
        var unused = limiter.decide(request);
      }
    }
    for (CounterKey key : keys()) {
      map.put(key, 0L);
    }
    for (String user : users()) {
      for (RateLimiter limiter : List.of(keysSliding, keysGcra, keysOver)) {
        var unused = limiter.tryAcquire(DOMAIN, user);
      }
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

  /** The limiter of keys without rules, on the system's ticker. */
  @Benchmark
  public Admission tryAcquireSliding(Cursor cursor) {
    return keysSliding.tryAcquire(DOMAIN, users[cursor.next() & (USERS - 1)]);
  }

  @Benchmark
  public Admission tryAcquireGcra(Cursor cursor) {
    return keysGcra.tryAcquire(DOMAIN, users[cursor.next() & (USERS - 1)]);
  }

  @Benchmark
  public Admission tryAcquireOver(Cursor cursor) {
    return keysOver.tryAcquire(DOMAIN, users[cursor.next() & (USERS - 1)]);
  }

  /** The same counter keys in a simple map that counts exactly. */
  @Benchmark
  public Long rivalCompute(Cursor cursor) {
    return map.compute(
        keys[cursor.next() & (USERS - 1)], (key, count) -> count == null ? 1 : count + 1);
  }

  private static RuleLimiter limiter(Algorithm algorithm, long most, LongSupplier clock) {
    Rule rule = Rule.of("user", "", new Limit(most, LimitUnit.HOUR, algorithm));
    return RuleLimiter.over(new MemoryCounters(1_000_000, clock))
        .clockMillis(clock)
        .rules(RuleSet.of(Map.of(DOMAIN, List.of(rule))))
        .build();
  }

  private static RateLimiter keyLimiter(Algorithm algorithm) {
    return keyLimiter(algorithm, MANY);
  }

  private static RateLimiter keyLimiter(Algorithm algorithm, long most) {
    return RateLimiter.inMemory(1_000_000).limit(DOMAIN, Rate.perHour(most), algorithm).build();
  }

  private static String[] users() {
    return IntStream.range(0, USERS).mapToObj(user -> text("user-" + user)).toArray(String[]::new);
  }

  private static LimitRequest[] requests() {
    return IntStream.range(0, USERS)
        .mapToObj(user -> new LimitRequest(text(DOMAIN), List.of(descriptor(user)), 0))
        .toArray(LimitRequest[]::new);
  }

  private static CounterKey[] keys() {
    return IntStream.range(0, USERS)
        .mapToObj(user -> descriptor(user).entries())
        .map(path -> CounterKey.of(text(DOMAIN), path, HOURLY))
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
