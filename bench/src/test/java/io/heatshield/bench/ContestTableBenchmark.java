package io.heatshield.bench;

import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.slotchain.ResourceWrapper;
import com.alibaba.csp.sentinel.slotchain.StringResourceWrapper;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowChecker;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParameterMetricStorage;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import io.heatshield.contest.Decision;
import io.heatshield.contest.DistinctSettings;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.HeavyHittersBuilder;
import io.heatshield.contest.Rule;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Rate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One touch of a full table of 50,000 slots: of a tracked key, drawn uniformly, and of a new key,
 * which contests a slot and loses.
 *
 * <p>The ring has the same keys in a window, and rivals have room for each. The table and the ring
 * hash the bytes of a key each time; rivals get strings that have cached their hash. Time comes
 * from a coarse ticker that advances by 1 ms every 8192 touches of a thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContestTableBenchmark {
  private static final int SLOTS = 50_000;
  private static final int TOUCHES_PER_MILLI = 8192;
  private static final ResourceWrapper RESOURCE = new StringResourceWrapper("t", EntryType.IN);
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  private final byte[][] keys = new byte[ZipfKeys.TOUCHES][];
  private final String[] texts = new String[ZipfKeys.TOUCHES];
  private final byte[][] newcomers = new byte[ZipfKeys.TOUCHES][];
  private final String[] newcomerTexts = new String[ZipfKeys.TOUCHES];
  private final AtomicLong nanos = new AtomicLong();
  private final KeyHash hash = KeyHash.fast(SECRET);
  private final HeavyHitters table = sized().build();
  private final HeavyHitters oneLock = sized().stripes(1).build();
  private final HeavyHitters ruled =
      sized()
          .rule(Rule.rate("slow", Rate.perSecond(100)))
          .rule(Rule.rate("fast", Rate.perSecond(1_000)))
          .build();
  private final HeavyHitters counting = sized().distinct(DistinctSettings.DEFAULT).build();
  private final HotRing ring =
      HotRing.builder().secret(SECRET).maxKeys(SLOTS).bits(17).ticker(nanos::getOpaque).build();
  private final Cache<String, AtomicLong> caffeine =
      Caffeine.newBuilder().maximumSize(SLOTS).executor(Runnable::run).build();
  private final ConcurrentHashMap<String, RateLimiter> guava = new ConcurrentHashMap<>();
  private final ParamFlowRule rule = new ParamFlowRule("t").setParamIdx(0);

  /** Fills every slot with keys that no newcomer beats. */
  public ContestTableBenchmark() {
    // Enough keys to fill every stripe; the keys that got a slot are touched later.
    int found = 0;
    byte[][] tracked = new byte[SLOTS][];
    for (int i = 0; found < SLOTS; i++) {
      byte[] key = key("client", i);
      if (table.touch(key, 1_000_000_000_000L, List.of()).counted()) {
        tracked[found++] = key;
        fill(key);
      }
    }
    var random = new SplittableRandom(1);
    for (int i = 0; i < ZipfKeys.TOUCHES; i++) {
      keys[i] = tracked[random.nextInt(SLOTS)];
      texts[i] = new String(keys[i], StandardCharsets.US_ASCII);
      newcomers[i] = key("junk", i);
      newcomerTexts[i] = new String(newcomers[i], StandardCharsets.US_ASCII);
    }
    rule.setCount(1_000_000_000);
    ParameterMetricStorage.initParamMetricsFor(RESOURCE, rule);
  }

  @Benchmark
  public Decision touch(Cursor cursor) {
    return table.touch(keys[advance(cursor.next())]);
  }

  @Benchmark
  public Decision touchOneLock(Cursor cursor) {
    return oneLock.touch(keys[advance(cursor.next())]);
  }

  /** The part of a touch before it takes a lock; the rest of its time is spent under the lock. */
  @Benchmark
  public long beforeLock(Cursor cursor) {
    return hash.hash(keys[advance(cursor.next())]) ^ nanos.getOpaque();
  }

  @Benchmark
  public long ringTouch(Cursor cursor) {
    return ring.touch(keys[advance(cursor.next())]);
  }

  @Benchmark
  public Decision contest(Cursor cursor) {
    return table.touch(newcomers[advance(cursor.next())]);
  }

  @Benchmark
  public Decision touchAndCharge(Cursor cursor) {
    return ruled.touch(keys[advance(cursor.next())]);
  }

  @Benchmark
  public Decision touchAndAddDistinct(Cursor cursor) {
    int at = advance(cursor.next());
    return counting.touch(keys[at], newcomerTexts[at]);
  }

  @Benchmark
  public List<?> top100() {
    return table.top(100);
  }

  @Benchmark
  public long rivalCaffeineTouch(Cursor cursor) {
    return count(texts[cursor.next()]);
  }

  @Benchmark
  public long rivalCaffeineNewcomer(Cursor cursor) {
    return count(newcomerTexts[cursor.next()]);
  }

  @Benchmark
  public boolean rivalGuavaCharge(Cursor cursor) {
    return Objects.requireNonNull(guava.get(texts[cursor.next()])).tryAcquire();
  }

  @Benchmark
  public boolean rivalSentinelCharge(Cursor cursor) {
    return ParamFlowChecker.passCheck(RESOURCE, rule, 1, texts[cursor.next()]);
  }

  private long count(String key) {
    return caffeine.get(key, k -> new AtomicLong()).incrementAndGet();
  }

  private void fill(byte[] key) {
    var unusedOne = oneLock.touch(key, 1_000_000_000_000L, List.of());
    // The first touch creates the state of rules and targets, which must not be measured.
    String text = new String(key, StandardCharsets.US_ASCII);
    var unusedCharge = ruled.touch(key);
    var unusedTarget = counting.touch(key, text);
    long unusedCount = ring.touch(key);
    long unusedCaffeine = count(text);
    guava.put(text, RateLimiter.create(100));
  }

  private int advance(int at) {
    if (at % TOUCHES_PER_MILLI == 0) {
      nanos.getAndAdd(1_000_000);
    }
    return at;
  }

  private static byte[] key(String kind, int i) {
    return String.format(Locale.ROOT, "%-6s:%017d", kind, i).getBytes(StandardCharsets.US_ASCII);
  }

  private HeavyHittersBuilder sized() {
    return HeavyHitters.builder().maxKeys(SLOTS).secret(SECRET).ticker(nanos::getOpaque);
  }
}
