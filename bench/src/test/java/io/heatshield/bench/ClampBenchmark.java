package io.heatshield.bench;

import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.slotchain.ResourceWrapper;
import com.alibaba.csp.sentinel.slotchain.StringResourceWrapper;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowChecker;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParameterMetricStorage;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One decision whether a key is within its limit, for one key and for the keys of the Zipf stream.
 *
 * <p>A limit of 100 in 2 s limits nearly every call on one key and few on many; a limit of a
 * billion limits none. The rivals keep a limiter per key in a map, as their users do, and are
 * called with the map's own strings, which is their best case; they read the time as they do by
 * default. Ours reads a coarse ticker, as the server does, or with {@code SystemTicker} the JVM's.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ClampBenchmark {
  private static final Duration WINDOW = Duration.ofSeconds(2);
  private static final long SLOT = 250_000_000;
  private static final int CALLS_PER_SLOT = 8192;
  private static final ResourceWrapper RESOURCE = new StringResourceWrapper("r", EntryType.IN);

  /** The limit of a key within the window. */
  @Param({"100", "1000000000"})
  public int limit;

  private final ZipfKeys keys = new ZipfKeys();
  private final AtomicLong nanos = new AtomicLong();
  private final HotRing coarse = ring().ticker(nanos::getOpaque).build();
  private final HotRing system = ring().build();
  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, RateLimiter> guava = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, io.github.resilience4j.ratelimiter.RateLimiter>
      resilience = new ConcurrentHashMap<>();
  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[32]));
  private final KeyHash second = KeyHash.fast(HashSecret.random());
  private final AtomicLong one = new AtomicLong();
  private final ParamFlowRule rule = new ParamFlowRule("r").setParamIdx(0);

  /** Adds every key, and sets up Sentinel's metrics once the limit is known. */
  @org.openjdk.jmh.annotations.Setup
  public void setUp() {
    for (byte[] key : keys.bytes) {
      coarse.touch(key);
      system.touch(key);
    }
    rule.setCount(limit);
    rule.setDurationInSec(WINDOW.toSeconds());
    ParameterMetricStorage.initParamMetricsFor(RESOURCE, rule);
  }

  @Benchmark
  public boolean clampOne(Cursor cursor) {
    advance(cursor.next());
    return coarse.tryTouch(keys.bytes[0], limit).admitted();
  }

  @Benchmark
  public boolean clampOneText(Cursor cursor) {
    advance(cursor.next());
    return coarse.tryTouch(keys.texts[0], limit).admitted();
  }

  @Benchmark
  public boolean clampOneSystemTicker() {
    return system.tryTouch(keys.bytes[0], limit).admitted();
  }

  @Benchmark
  public boolean clampMany(Cursor cursor) {
    return coarse.tryTouch(keys.bytes[advance(cursor.next())], limit).admitted();
  }

  @Benchmark
  public boolean clampManyText(Cursor cursor) {
    return coarse.tryTouch(keys.texts[advance(cursor.next())], limit).admitted();
  }

  @Benchmark
  public boolean clampManySystemTicker(Cursor cursor) {
    return system.tryTouch(keys.bytes[cursor.next()], limit).admitted();
  }

  /** A lower bound: two hashes that identify a key, and one atomic update. */
  @Benchmark
  public long floorOne() {
    byte[] key = keys.bytes[0];
    return hash.hash(key) ^ second.hash(key) ^ one.incrementAndGet();
  }

  /** A lower bound of a throttle that reads the system's time. */
  @Benchmark
  public long floorClock() {
    return System.nanoTime();
  }

  @Benchmark
  public boolean rivalBucket4jOne() {
    return bucket(keys.texts[0]).tryConsume(1);
  }

  @Benchmark
  public boolean rivalBucket4jMany(Cursor cursor) {
    return bucket(keys.texts[cursor.next()]).tryConsume(1);
  }

  @Benchmark
  public boolean rivalResilience4jOne() {
    return resilience(keys.texts[0]).acquirePermission();
  }

  @Benchmark
  public boolean rivalResilience4jMany(Cursor cursor) {
    return resilience(keys.texts[cursor.next()]).acquirePermission();
  }

  @Benchmark
  public boolean rivalGuavaOne() {
    return guava(keys.texts[0]).tryAcquire();
  }

  @Benchmark
  public boolean rivalGuavaMany(Cursor cursor) {
    return guava(keys.texts[cursor.next()]).tryAcquire();
  }

  @Benchmark
  public boolean rivalSentinelOne() {
    return ParamFlowChecker.passCheck(RESOURCE, rule, 1, keys.texts[0]);
  }

  @Benchmark
  public boolean rivalSentinelMany(Cursor cursor) {
    return ParamFlowChecker.passCheck(RESOURCE, rule, 1, keys.texts[cursor.next()]);
  }

  private Bucket bucket(String key) {
    Bucket bucket = buckets.get(key);
    return bucket != null
        ? bucket
        : buckets.computeIfAbsent(
            key,
            k ->
                Bucket.builder()
                    .addLimit(band -> band.capacity(limit).refillGreedy(limit, WINDOW))
                    .build());
  }

  private RateLimiter guava(String key) {
    RateLimiter limiter = guava.get(key);
    return limiter != null
        ? limiter
        : guava.computeIfAbsent(key, k -> RateLimiter.create(limit / 2.0));
  }

  private io.github.resilience4j.ratelimiter.RateLimiter resilience(String key) {
    io.github.resilience4j.ratelimiter.RateLimiter limiter = resilience.get(key);
    return limiter != null
        ? limiter
        : resilience.computeIfAbsent(
            key,
            k ->
                io.github.resilience4j.ratelimiter.RateLimiter.of(
                    k,
                    RateLimiterConfig.custom()
                        .limitForPeriod(limit)
                        .limitRefreshPeriod(WINDOW)
                        .timeoutDuration(Duration.ZERO)
                        .build()));
  }

  private int advance(int at) {
    if (at % CALLS_PER_SLOT == 0) {
      nanos.getAndAdd(SLOT);
    }
    return at;
  }

  private static io.heatshield.ring.HotRingBuilder ring() {
    return HotRing.builder()
        .secret(HashSecret.of(new byte[32]))
        .bits(20)
        .maxKeys(ZipfKeys.KEYS)
        .window(8, Duration.ofNanos(SLOT));
  }
}
