package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares verdicts on one hot key that many threads touch with the touches that have ended. */
class VerdictThreadsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 60;
  private static final int TOUCHES = 5_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void touch_concurrentThreads_isNeverEstimatedBelowTheTouchesThatHaveEnded(int stripes)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    long below = 0;

    for (int round = 0; round < ROUNDS; round++) {
      var world = new DetectorFixture(DetectorFixture.settings().stripes(stripes));
      var ended = new AtomicLong();
      List<Future<Long>> runs = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        runs.add(pool.submit(() -> touchAll(world, ended)));
      }
      for (Future<Long> run : runs) {
        below += run.get();
      }
    }
    pool.shutdown();

    assertThat(below).isZero();
  }

  /** Returns how many hot verdicts had an estimate below the touches that had ended. */
  private static long touchAll(DetectorFixture world, AtomicLong ended) {
    long below = 0;
    for (int i = 0; i < TOUCHES; i++) {
      long before = ended.get();
      Verdict verdict = world.detector.touch("a");
      ended.incrementAndGet();
      below += verdict.isHot() && verdict.estimate() < before + 1 ? 1 : 0;
    }
    return below;
  }
}
