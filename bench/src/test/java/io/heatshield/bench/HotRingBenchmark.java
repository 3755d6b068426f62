package io.heatshield.bench;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import io.heatshield.ring.HotRingBuilder;
import io.heatshield.ring.KeyCount;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One touch of a tracked key, on the Zipf stream and on one key, compared with a map of adders.
 *
 * <p>The map has its own copies of the keys, as the ring does, and byte keys are wrapped in
 * advance. A port makes a new string from the bytes of every request. {@code WireText} includes
 * that cost on both sides: such a string has no cached hash and is not the map's own instance.
 * {@code Text} excludes it, and its strings have cached their hash after the first round; it shows
 * that the ring allocates nothing. {@code SameText} is the map's best case: it uses the map's own
 * instances.
 *
 * <p>Time comes from a coarse ticker that advances one slot every 8192 touches of a thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotRingBenchmark {
  private static final int TOP_ENTRIES = 50_000;
  private static final long SLOT = 250_000_000;
  private static final int TOUCHES_PER_SLOT = 8192;

  private final ZipfKeys keys = new ZipfKeys();
  private final ByteBuffer[] wrapped = new ByteBuffer[ZipfKeys.TOUCHES];
  private final ByteBuffer[] direct = new ByteBuffer[1024];
  private final AtomicLong nanos = new AtomicLong();
  private final HotRing plain = untimed().build();
  private final HotRing windowed = sized().window(8, Duration.ofNanos(SLOT)).build();
  private final HotRing many = untimed().build();
  private final ConcurrentHashMap<Object, LongAdder> byBytes = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Object, LongAdder> byText = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Object, LongAdder> bySameText = new ConcurrentHashMap<>();
  private final AtomicLong one = new AtomicLong();
  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[32]));
  private final KeyHash second = KeyHash.fast(HashSecret.random());

  /** Adds every key. */
  public HotRingBenchmark() {
    for (int i = 0; i < ZipfKeys.TOUCHES; i++) {
      wrapped[i] = ByteBuffer.wrap(keys.bytes[i]);
      plain.touch(keys.bytes[i]);
      windowed.touch(keys.bytes[i]);
      byBytes.computeIfAbsent(wrapped[i], key -> new LongAdder()).increment();
      byText.computeIfAbsent(made(keys.bytes[i]), key -> new LongAdder()).increment();
      bySameText.computeIfAbsent(keys.texts[i], key -> new LongAdder()).increment();
    }
    for (int i = 0; i < direct.length; i++) {
      direct[i] = ByteBuffer.allocateDirect(keys.bytes[i].length).put(0, keys.bytes[i]);
    }
    for (int i = 0; i < TOP_ENTRIES; i++) {
      for (int n = 0; n <= Integer.numberOfTrailingZeros(i | (1 << 16)); n++) {
        many.touch("key:" + i);
      }
    }
  }

  @Benchmark
  public long touchBytes(Cursor cursor) {
    return plain.touch(keys.bytes[cursor.next()]);
  }

  @Benchmark
  public long touchText(Cursor cursor) {
    return plain.touch(keys.texts[cursor.next()]);
  }

  @Benchmark
  public long touchWireText(Cursor cursor) {
    return plain.touch(made(keys.bytes[cursor.next()]));
  }

  @Benchmark
  public long touchBuffer(Cursor cursor) {
    return plain.touch(wrapped[cursor.next()]);
  }

  @Benchmark
  public long touchDirectBuffer(Cursor cursor) {
    return plain.touch(direct[cursor.next() & (direct.length - 1)]);
  }

  @Benchmark
  public long touchWindowBytes(Cursor cursor) {
    return windowed.touch(keys.bytes[advance(cursor.next())]);
  }

  @Benchmark
  public long touchWindowText(Cursor cursor) {
    return windowed.touch(keys.texts[advance(cursor.next())]);
  }

  @Benchmark
  public long countBytes(Cursor cursor) {
    return plain.count(keys.bytes[cursor.next()]);
  }

  @Benchmark
  public long touchOneKey() {
    return plain.touch(keys.bytes[0]);
  }

  @Benchmark
  public long touchOneKeyWindow() {
    return windowed.touch(keys.bytes[0]);
  }

  @Benchmark
  public long rivalAtomicLong() {
    return one.incrementAndGet();
  }

  /** A lower bound: two hashes that identify a key, and one addition. */
  @Benchmark
  public long floorOneKey() {
    byte[] key = keys.bytes[0];
    return hash.hash(key) ^ second.hash(key) ^ one.incrementAndGet();
  }

  @Benchmark
  public void rivalMapBytes(Cursor cursor) {
    Objects.requireNonNull(byBytes.get(wrapped[cursor.next()])).increment();
  }

  @Benchmark
  public void rivalMapWireText(Cursor cursor) {
    Objects.requireNonNull(byText.get(made(keys.bytes[cursor.next()]))).increment();
  }

  @Benchmark
  public void rivalMapText(Cursor cursor) {
    Objects.requireNonNull(byText.get(keys.texts[cursor.next()])).increment();
  }

  @Benchmark
  public void rivalMapSameText(Cursor cursor) {
    Objects.requireNonNull(bySameText.get(keys.texts[cursor.next()])).increment();
  }

  @Benchmark
  public List<KeyCount> top16Of50000() {
    return many.top(16);
  }

  private static String made(byte[] request) {
    return new String(request, StandardCharsets.UTF_8);
  }

  private int advance(int at) {
    if (at % TOUCHES_PER_SLOT == 0) {
      nanos.getAndAdd(SLOT);
    }
    return at;
  }

  private HotRingBuilder sized() {
    return HotRing.builder()
        .secret(HashSecret.of(new byte[32]))
        .bits(20)
        .maxKeys(ZipfKeys.KEYS)
        .rotation(Duration.ZERO)
        .ticker(nanos::getOpaque);
  }

  private HotRingBuilder untimed() {
    return sized().window(0, Duration.ZERO);
  }
}
