package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.sketch.CountMinSketch;
import io.heatshield.sketch.HashedCountMinSketch;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks the guarantees with 100 million touches; profile {@code large} runs it in a small heap.
 */
@Tag("large")
class DetectionLargeTest {
  private static final int THREADS = 8;
  private static final int KEYS = 1_000_000;
  private static final int TOUCHES = 100_000_000 / THREADS;

  private final HashSecret secret = HashSecret.random();
  private final KeyHash hash = KeyHash.fast(secret);
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void estimate_hundredMillionTouchesByEightThreads_isNeverBelowTheTrueCount() throws Exception {
    HashedCountMinSketch sketch =
        CountMinSketch.builder().secret(secret).width(4096).stripes(4).build().hashed(hash);
    HotKeyDetector detector = detector(100);
    var counts = new int[THREADS][];
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> runs = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      runs.add(pool.submit(() -> counts[thread] = touchAll(sketch, detector, thread)));
    }

    for (Future<?> run : runs) {
      run.get();
    }
    pool.shutdown();

    long below = 0;
    for (int rank = 1; rank <= KEYS; rank++) {
      long hashed = hash.hash(Zipf.key(rank));
      long truth = 0;
      for (int[] count : counts) {
        truth += count[rank];
      }
      if (sketch.estimate(hashed) < truth
          || detector.hashed(hash).estimate(hashed).touches() < truth) {
        below++;
      }
    }
    assertThat(below).isZero();
  }

  @Test
  void touch_hundredMillionDistinctKeys_keepsItsMemoryAndStillFindsAHotKey() {
    HotKeyDetector detector = detector(10_000_000);
    long bytes = detector.bytes();
    byte[] key = new byte[24];
    ByteBuffer buffer = ByteBuffer.wrap(key);

    for (long i = 0; i < 100_000_000; i++) {
      buffer.putLong(0, i);
      detector.touch(key);
      if (i % 1_000_000 == 0) {
        ticker.advance(Duration.ofMillis(500));
      }
    }
    ticker.advance(Duration.ofSeconds(11));
    Verdict verdict = Verdict.COOL;
    for (int i = 0; i < 100 && !verdict.isHot(); i++) {
      verdict = detector.touch("hot", 1_000_000);
    }

    assertThat(detector.bytes())
        .isEqualTo(bytes)
        .isLessThan(detector.settings().stripes() * 131_072L);
    assertThat(verdict.isHot()).isTrue();
    assertThat(detector.top(1).get(0).key().toString()).isEqualTo("hot");
  }

  private int[] touchAll(HashedCountMinSketch sketch, HotKeyDetector detector, int thread) {
    HashedHotKeyDetector hashing = detector.hashed(hash);
    var counts = new int[KEYS + 1];
    var ranks = new Zipf(KEYS, 1.0, thread);
    for (int i = 0; i < TOUCHES; i++) {
      int rank = (int) ranks.next();
      byte[] key = Zipf.key(rank);
      long hashed = hash.hash(key);
      sketch.touch(hashed);
      hashing.touch(hashed, key, 1);
      counts[rank]++;
    }
    return counts;
  }

  private HotKeyDetector detector(long threshold) {
    return HotKeyDetector.builder()
        .window(Duration.ofSeconds(10))
        .threshold(threshold)
        .secret(secret)
        .ticker(ticker::nanos)
        .build();
  }
}
