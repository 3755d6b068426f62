package io.heatshield.bench;

import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.heatshield.filter.Growth;
import io.heatshield.filter.HashedCuckooFilter;
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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * One lookup in a filter at maximum load, for stored and absent keys, compared with rivals of the
 * same false positive rate (fastfilter's always has 16 bits).
 *
 * <p>All get 64-bit numbers, so that no hashing of bytes is measured; Guava and fastfilter always
 * hash the number. Lookups run in batches of {@value #BATCH}, as in fastfilter's own benchmark: the
 * harness's overhead of one call is half as much as a lookup. {@code -p keys=100000000} measures
 * cache misses; {@link #pointerChase} is the cost of one cache miss on memory of the same size.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-Xmx8g")
public class CuckooFilterBenchmark {
  static final int BATCH = 1024;

  private static final int PROBES = 1 << 20;
  private static final double RATE = 0.001;

  @Param("1000000")
  int keys;

  private final HashSecret secret = HashSecret.of(new byte[32]);
  private final long[][] present = new long[PROBES / BATCH][BATCH];
  private final long[][] absent = new long[PROBES / BATCH][BATCH];
  private HashedCuckooFilter ours = ours(1);
  private BloomFilter<Long> guava = BloomFilter.create(Funnels.longFunnel(), 1);
  private CuckooFilter<Long> cuckoo4j =
      new CuckooFilter.Builder<>(Funnels.longFunnel(), 1_000).build();
  private Cuckoo16 fastfilter = Cuckoo16.construct(new long[] {1});
  private int[] chain = new int[1];
  private int at;

  /** Fills the filter of the benchmark; every filter gets the same keys. */
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
      present[i / BATCH][i % BATCH] = all[random.nextInt(keys)];
      absent[i / BATCH][i % BATCH] = random.nextLong();
    }
    if (method.equals("pointerChase")) {
      chain = cycle((int) Math.max(16, ours.filter().bytes() / Integer.BYTES), random);
    }
  }

  private void fillOurs(long[] all) {
    ours = ours(keys);
    for (long key : all) {
      if (!ours.add(key).accepted()) {
        throw new IllegalStateException("filter must take all keys: " + ours.filter().size());
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int containsPresent(Cursor cursor) {
    return inOurs(batch(present, cursor));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int containsAbsent(Cursor cursor) {
    return inOurs(batch(absent, cursor));
  }

  /** Removes one key and adds it again, at full load. */
  @Benchmark
  public boolean deleteAndAdd(Cursor cursor) {
    int at = cursor.next() & (PROBES - 1);
    long key = present[at / BATCH][at % BATCH];
    ours.remove(key, () -> true);
    return ours.add(key).accepted();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int rivalFastfilterPresent(Cursor cursor) {
    return inFastfilter(batch(present, cursor));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int rivalFastfilterAbsent(Cursor cursor) {
    return inFastfilter(batch(absent, cursor));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int rivalGuavaPresent(Cursor cursor) {
    return inGuava(batch(present, cursor));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int rivalGuavaAbsent(Cursor cursor) {
    return inGuava(batch(absent, cursor));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int rivalCuckoo4jPresent(Cursor cursor) {
    return inCuckoo4j(batch(present, cursor));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int rivalCuckoo4jAbsent(Cursor cursor) {
    return inCuckoo4j(batch(absent, cursor));
  }

  /** One load whose address is the value of the previous load, on memory as large as the filter. */
  @Benchmark
  public int pointerChase() {
    at = chain[at];
    return at;
  }

  private int inOurs(long[] batch) {
    HashedCuckooFilter filter = ours;
    int found = 0;
    for (long key : batch) {
      found += filter.mightContain(key) ? 1 : 0;
    }
    return found;
  }

  private int inFastfilter(long[] batch) {
    Cuckoo16 filter = fastfilter;
    int found = 0;
    for (long key : batch) {
      found += filter.mayContain(key) ? 1 : 0;
    }
    return found;
  }

  private int inGuava(long[] batch) {
    BloomFilter<Long> filter = guava;
    int found = 0;
    for (long key : batch) {
      found += filter.mightContain(key) ? 1 : 0;
    }
    return found;
  }

  private int inCuckoo4j(long[] batch) {
    CuckooFilter<Long> filter = cuckoo4j;
    int found = 0;
    for (long key : batch) {
      found += filter.mightContain(key) ? 1 : 0;
    }
    return found;
  }

  private static long[] batch(long[][] probes, Cursor cursor) {
    return probes[cursor.next() & (probes.length - 1)];
  }

  private HashedCuckooFilter ours(long items) {
    return io.heatshield.filter.CuckooFilter.builder()
        .secret(secret)
        .expectedItems(items)
        .falsePositiveRate(RATE)
        .growth(Growth.REFUSE)
        .build()
        .hashed(KeyHash.fast(secret));
  }

  /** Returns one cycle through all positions, in random order. */
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
