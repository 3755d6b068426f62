package io.heatshield.bench;

import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.heatshield.filter.CuckooFilterBuilder;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.fastfilter.cuckoo.Cuckoo16;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * One lookup in a filter that is as full as it gets, for keys that are stored and keys that are
 * not, beside rivals of the same false positive rate (fastfilter's has 16 bits, whatever one asks
 * for).
 *
 * <p>All are given 64-bit numbers, so that no hashing of bytes is measured; Guava and fastfilter
 * hash the number, as they always do. {@code -p keys=100000000} measures misses of the caches;
 * {@link #pointerChase} is the price of one of them on memory of the same size.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-Xmx8g")
public class CuckooFilterBenchmark {
  private static final int PROBES = 1 << 20;
  private static final double RATE = 0.001;

  @Param("1000000")
  int keys;

  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[32]));
  private final long[] present = new long[PROBES];
  private final long[] absent = new long[PROBES];
  private io.heatshield.filter.CuckooFilter ours = builder(1).build();
  private BloomFilter<Long> guava = BloomFilter.create(Funnels.longFunnel(), 1);
  private CuckooFilter<Long> cuckoo4j =
      new CuckooFilter.Builder<>(Funnels.longFunnel(), 1_000).build();
  private Cuckoo16 fastfilter = Cuckoo16.construct(new long[] {1});
  private int[] chain = new int[1];
  private int at;

  /** Fills the filter that a benchmark is about; every one gets the same keys. */
  @Setup
  public void fill(BenchmarkParams params) {
    String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
    var random = new SplittableRandom(1);
    long[] all = random.longs(keys).toArray();
    if (method.contains("Guava")) {
      guava = BloomFilter.create(Funnels.longFunnel(), keys, RATE);
      LongStream.of(all).forEach(guava::put);
    } else if (method.contains("Cuckoo4j")) {
      cuckoo4j =
          new CuckooFilter.Builder<>(Funnels.longFunnel(), keys)
              .withFalsePositiveRate(RATE)
              .build();
      LongStream.of(all).forEach(cuckoo4j::put);
    } else if (method.contains("Fastfilter")) {
      fastfilter = Cuckoo16.construct(all);
    } else {
      fillOurs(all);
    }
    for (int i = 0; i < PROBES; i++) {
      present[i] = all[random.nextInt(keys)];
      absent[i] = random.nextLong();
    }
    if (method.equals("pointerChase")) {
      chain = cycle((int) Math.max(16, ours.bytes() / Integer.BYTES), random);
    }
  }

  private void fillOurs(long[] all) {
    ours = builder(keys).build();
    for (long key : all) {
      if (!ours.add(key).accepted()) {
        throw new IllegalStateException("filter must take all keys: " + ours.size());
      }
    }
  }

  @Benchmark
  public boolean containsPresent(Cursor cursor) {
    return ours.contains(present[cursor.next() & (PROBES - 1)]);
  }

  @Benchmark
  public boolean containsAbsent(Cursor cursor) {
    return ours.contains(absent[cursor.next() & (PROBES - 1)]);
  }

  /** Takes one key out and puts it in again, at full load. */
  @Benchmark
  public boolean deleteAndAdd(Cursor cursor) {
    long key = present[cursor.next() & (PROBES - 1)];
    ours.delete(key);
    return ours.add(key).accepted();
  }

  @Benchmark
  public boolean rivalFastfilterPresent(Cursor cursor) {
    return fastfilter.mayContain(present[cursor.next() & (PROBES - 1)]);
  }

  @Benchmark
  public boolean rivalFastfilterAbsent(Cursor cursor) {
    return fastfilter.mayContain(absent[cursor.next() & (PROBES - 1)]);
  }

  @Benchmark
  public boolean rivalGuavaPresent(Cursor cursor) {
    return guava.mightContain(present[cursor.next() & (PROBES - 1)]);
  }

  @Benchmark
  public boolean rivalGuavaAbsent(Cursor cursor) {
    return guava.mightContain(absent[cursor.next() & (PROBES - 1)]);
  }

  @Benchmark
  public boolean rivalCuckoo4jPresent(Cursor cursor) {
    return cuckoo4j.mightContain(present[cursor.next() & (PROBES - 1)]);
  }

  @Benchmark
  public boolean rivalCuckoo4jAbsent(Cursor cursor) {
    return cuckoo4j.mightContain(absent[cursor.next() & (PROBES - 1)]);
  }

  /** One load whose address is the value of the one before, on memory as large as the filter. */
  @Benchmark
  public int pointerChase() {
    at = chain[at];
    return at;
  }

  private CuckooFilterBuilder builder(long items) {
    return io.heatshield.filter.CuckooFilter.builder(hash)
        .expectedItems(items)
        .falsePositiveRate(RATE);
  }

  /** Returns one cycle through all places, in random order. */
  private static int[] cycle(int length, SplittableRandom random) {
    int[] next = new int[length];
    for (int i = 0; i < length; i++) {
      next[i] = i;
    }
    for (int i = length - 1; i > 0; i--) {
      int j = random.nextInt(i);
      int swapped = next[i];
      next[i] = next[j];
      next[j] = swapped;
    }
    return next;
  }
}
