package io.heatshield.bench;

import com.clearspring.analytics.stream.StreamSummary;
import com.clearspring.analytics.stream.frequency.CountMinSketch;
import com.github.benmanes.caffeine.cache.CaffeineSketch;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.sketch.CountMinSketchBuilder;
import io.heatshield.sketch.HashedCountMinSketch;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One touch of a sketch on the Zipf stream, compared with rivals.
 *
 * <p>Rivals that no two threads may share are private to a thread here ({@code Private} states);
 * the shared ones are ours and the map. Keys that a rival compares by {@code equals} are wrapped in
 * a {@link ByteBuffer} made in advance where they are bytes; stream-lib's sketch takes text alone.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CountMinSketchBenchmark {
  private static final int WIDTH = 1024;
  private static final int DEPTH = 4;
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  final ZipfKeys keys = new ZipfKeys();
  final ByteBuffer[] wrapped = new ByteBuffer[ZipfKeys.TOUCHES];
  final KeyHash hash = KeyHash.fast(SECRET);
  final long[] hashes = new long[ZipfKeys.TOUCHES];

  private final io.heatshield.sketch.CountMinSketch shared = shape().build();
  private final HashedCountMinSketch hashed = shared.hashed(hash);
  private final SketchVariants.LockPerKey lockPerKey =
      new SketchVariants.LockPerKey(WIDTH, DEPTH, 64);
  private final SketchVariants.AtomicAdds atomicAdds = new SketchVariants.AtomicAdds(WIDTH, DEPTH);
  private final SketchVariants.NaiveShared naive = new SketchVariants.NaiveShared(WIDTH, DEPTH);
  private final ConcurrentHashMap<Object, LongAdder> map = new ConcurrentHashMap<>();

  /** Creates the shared state. */
  public CountMinSketchBenchmark() {
    for (int i = 0; i < ZipfKeys.TOUCHES; i++) {
      wrapped[i] = ByteBuffer.wrap(keys.bytes[i]);
      hashes[i] = hash.hash(keys.bytes[i]);
    }
  }

  /** Sketches of one thread. */
  @State(Scope.Thread)
  public static class Private {
    final io.heatshield.sketch.CountMinSketch ours = shape().singleWriter().build();
    final HashedCountMinSketch hashed = ours.hashed(ours.keyHash());
    final CaffeineSketch caffeine = new CaffeineSketch(WIDTH);
    final ItemsSketch<Object> items = new ItemsSketch<>(4096);
    final CountMinSketch streamLib = new CountMinSketch(DEPTH, WIDTH, 1);
    final StreamSummary<Object> summary = new StreamSummary<>(1000);
  }

  @Benchmark
  public void touchBytes(Cursor cursor) {
    shared.touch(keys.bytes[cursor.next()]);
  }

  @Benchmark
  public void touchText(Cursor cursor) {
    shared.touch(keys.texts[cursor.next()]);
  }

  @Benchmark
  public void touchHash(Cursor cursor) {
    hashed.touch(hashes[cursor.next()]);
  }

  @Benchmark
  public void touchOneKey() {
    hashed.touch(hashes[0]);
  }

  @Benchmark
  public long estimateHash(Cursor cursor) {
    return hashed.estimate(hashes[cursor.next()]);
  }

  @Benchmark
  public void singleWriterBytes(Cursor cursor, Private own) {
    own.ours.touch(keys.bytes[cursor.next()]);
  }

  @Benchmark
  public void singleWriterText(Cursor cursor, Private own) {
    own.ours.touch(keys.texts[cursor.next()]);
  }

  @Benchmark
  public void singleWriterHash(Cursor cursor, Private own) {
    own.hashed.touch(hashes[cursor.next()]);
  }

  @Benchmark
  public long variantLockPerKeyHash(Cursor cursor) {
    return lockPerKey.add(hashes[cursor.next()]);
  }

  @Benchmark
  public long variantAtomicAddsHash(Cursor cursor) {
    return atomicAdds.add(hashes[cursor.next()]);
  }

  @Benchmark
  public long variantNaiveSharedHash(Cursor cursor) {
    return naive.add(hashes[cursor.next()]);
  }

  @Benchmark
  public void rivalCaffeineBytes(Cursor cursor, Private own) {
    own.caffeine.increment(wrapped[cursor.next()]);
  }

  @Benchmark
  public void rivalCaffeineText(Cursor cursor, Private own) {
    own.caffeine.increment(keys.texts[cursor.next()]);
  }

  @Benchmark
  public void rivalItemsSketchBytes(Cursor cursor, Private own) {
    own.items.update(wrapped[cursor.next()]);
  }

  @Benchmark
  public void rivalItemsSketchText(Cursor cursor, Private own) {
    own.items.update(keys.texts[cursor.next()]);
  }

  @Benchmark
  public void rivalStreamLibText(Cursor cursor, Private own) {
    own.streamLib.add(keys.texts[cursor.next()], 1);
  }

  @Benchmark
  public boolean rivalStreamSummaryText(Cursor cursor, Private own) {
    return own.summary.offer(keys.texts[cursor.next()]);
  }

  @Benchmark
  public void rivalMapBytes(Cursor cursor) {
    map.computeIfAbsent(wrapped[cursor.next()], key -> new LongAdder()).increment();
  }

  @Benchmark
  public void rivalMapText(Cursor cursor) {
    map.computeIfAbsent(keys.texts[cursor.next()], key -> new LongAdder()).increment();
  }

  private static CountMinSketchBuilder shape() {
    return io.heatshield.sketch.CountMinSketch.builder().secret(SECRET).width(WIDTH).depth(DEPTH);
  }
}
