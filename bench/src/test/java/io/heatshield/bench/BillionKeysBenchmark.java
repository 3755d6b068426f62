package io.heatshield.bench;

import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.Growth;
import io.heatshield.filter.HashedCuckooFilter;
import io.heatshield.filter.RemoveResult;
import io.heatshield.hash.HashSecret;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Builds a filter of many keys at 0.1 %, looks up all of them and as many absent keys, and removes
 * them, with progress. It is a program that runs once: {@code mvn -P billion verify -pl bench -am
 * -DskipTests}, with {@code -Dbillion.keys} for another number.
 */
final class BillionKeysBenchmark {
  private static final int STEPS = 20;

  private BillionKeysBenchmark() {}

  /** Takes the number of keys. */
  public static void main(String[] args) {
    long keys = args.length == 0 ? 1_000_000_000L : Long.parseLong(args[0]);
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(HashSecret.of(new byte[32]))
            .expectedItems(keys)
            .growth(Growth.REFUSE)
            .build();
    HashedCuckooFilter hashed = filter.hashed(filter.keyHash());

    long refused = run("add", keys, 1, hash -> !hashed.add(hash).accepted());
    double load = filter.load();
    double expected = filter.expectedFalsePositiveRate();
    long missed = run("present", keys, 1, hash -> !hashed.mightContain(hash));
    long positives = run("absent", keys, 2, hashed::mightContain);
    long kept =
        run("remove", keys, 1, hash -> hashed.remove(hash, () -> true) != RemoveResult.REMOVED);

    print("%d keys, %.2f bits per key, load %.4f", keys, filter.bytes() * 8.0 / keys, load);
    print("false positive rate %.6f, expected %.6f", (double) positives / keys, expected);
    print("refused %d, missed %d, not removed %d", refused, missed, kept);
    if (refused + missed + kept + filter.size() != 0) {
      throw new IllegalStateException("filter must take, find and delete every key");
    }
  }

  /** Runs over the hashes of a seed, and returns how many the test was true for. */
  private static long run(String what, long keys, long seed, LongPredicate test) {
    var hashes = new SplittableRandom(seed);
    long start = System.nanoTime();
    long count = 0;
    long done = 0;
    for (int step = 1; step <= STEPS; step++) {
      long until = keys * step / STEPS;
      for (; done < until; done++) {
        count += test.test(hashes.nextLong()) ? 1 : 0;
      }
      double nanos = (double) (System.nanoTime() - start) / Math.max(1, done);
      print("%-18s %3d %%  %.1f ns each", what, 100 * step / STEPS, nanos);
    }
    return count;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
