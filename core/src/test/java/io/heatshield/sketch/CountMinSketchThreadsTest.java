package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares a sketch that eight threads use with exact counts. */
@Tag("threads")
class CountMinSketchThreadsTest {
  private static final int THREADS = 8;
  private static final int TOUCHES = 100_000;
  private static final int KEYS = 500;
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);
  private static final long[] HASHES = new long[KEYS];

  static {
    for (int i = 0; i < KEYS; i++) {
      HASHES[i] = HASH.hash("key:" + i);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 32", "2, 32", "8, 64"})
  void touch_eightThreads_isNeverBelowTheExactCount(int stripes, int bits) throws Exception {
    HashedCountMinSketch sketch =
        CountMinSketch.builder()
            .secret(SECRET)
            .width(64)
            .stripes(stripes)
            .counterBits(bits)
            .build()
            .hashed(HASH);
    var exact = new AtomicLongArray(KEYS);

    List<Integer> below =
        inParallel(
            thread -> {
              var random = new SplittableRandom(thread);
              int wrong = 0;
              for (int i = 0; i < TOUCHES; i++) {
                int key = skewed(random);
                // Raised after the touch, so the sketch has all touches that the exact count has.
                sketch.touch(HASHES[key]);
                exact.incrementAndGet(key);
                int asked = skewed(random);
                long done = exact.get(asked);
                wrong += sketch.estimate(HASHES[asked]) < done ? 1 : 0;
              }
              return wrong;
            });

    assertThat(below).containsOnly(0);
    assertThat(sketch.sketch().total()).isEqualTo((long) THREADS * TOUCHES);
    for (int key = 0; key < KEYS; key++) {
      assertThat(sketch.estimate(HASHES[key])).isGreaterThanOrEqualTo(exact.get(key));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void halveStep_againstEightThreads_isNeverBelowHalf(int stripes) throws Exception {
    HashedCountMinSketch sketch =
        CountMinSketch.builder().secret(SECRET).width(64).stripes(stripes).build().hashed(HASH);
    var exact = new AtomicLongArray(KEYS);

    inParallel(
        thread -> {
          var random = new SplittableRandom(thread);
          for (int i = 0; i < TOUCHES; i++) {
            int key = skewed(random);
            sketch.touch(HASHES[key]);
            exact.incrementAndGet(key);
            if (thread == 0 && i == TOUCHES / 2) {
              while (!sketch.sketch().halveStep(3)) {
                sketch.touch(HASHES[0]);
                exact.incrementAndGet(0);
              }
            }
          }
          return 0;
        });

    for (int key = 0; key < KEYS; key++) {
      assertThat(2 * sketch.estimate(HASHES[key])).isGreaterThanOrEqualTo(exact.get(key));
    }
  }

  private static int skewed(SplittableRandom random) {
    return (int) (KEYS * Math.pow(random.nextDouble(), 4));
  }

  private static List<Integer> inParallel(Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        calls.add(() -> work.run(thread));
      }
      List<Integer> results = new ArrayList<>();
      for (Future<Integer> future : pool.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private interface Work {
    int run(int thread);
  }
}
