package io.heatshield.bench;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.Growth;
import io.heatshield.filter.HashedCuckooFilter;
import io.heatshield.hash.HashSecret;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One addition, on average from the first key to 95 % load, of a million keys. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CuckooFilterFillBenchmark {
  private static final int KEYS = 1_000_000;
  private static final double RATE = 0.001;

  private final long[] keys = new SplittableRandom(1).longs(KEYS).toArray();
  private final CuckooFilter filter =
      CuckooFilter.builder()
          .secret(HashSecret.of(new byte[32]))
          .expectedItems(KEYS)
          .falsePositiveRate(RATE)
          .growth(Growth.REFUSE)
          .build();
  private final HashedCuckooFilter ours = filter.hashed(filter.keyHash());

  /** The rival, created again for every run, because it cannot be cleared. */
  @State(Scope.Benchmark)
  public static class Guava {
    private BloomFilter<Long> filter = BloomFilter.create(Funnels.longFunnel(), KEYS, RATE);

    /** Creates another filter. */
    @Setup(Level.Invocation)
    public void empty() {
      filter = BloomFilter.create(Funnels.longFunnel(), KEYS, RATE);
    }
  }

  /** Clears the filter. */
  @Setup(Level.Invocation)
  public void empty() {
    filter.clear();
  }

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public long add() {
    long added = 0;
    for (long key : keys) {
      added += ours.add(key).accepted() ? 1 : 0;
    }
    return added;
  }

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public boolean rivalGuavaPut(Guava guava) {
    boolean changed = false;
    for (long key : keys) {
      changed |= guava.filter.put(key);
    }
    return changed;
  }
}
