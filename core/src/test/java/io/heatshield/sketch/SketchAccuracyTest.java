package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.trace.TraceReader;
import io.heatshield.testkit.trace.Traces;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** What 64 KB tell about the hottest hundred keys, against exact counts. */
class SketchAccuracyTest {
  private static final int TOP = 100;
  private static final int WIDTH = 4096;
  private static final int DEPTH = 4;

  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[16]));
  private final CountMinSketch sketch =
      CountMinSketch.builder().dimensions(WIDTH, DEPTH).stripes(1).build();
  private final Map<Long, Long> exact = new HashMap<>();

  @Test
  void estimate_zipfStream_ranksTheTopHundredExactly() {
    var ranks = new Zipf(1_000_000, 1.0, 42);

    for (int i = 0; i < 4_200_000; i++) {
      touch(ranks.nextKey());
    }

    assertTopIsRight();
  }

  @Test
  void estimate_busyDayOfADatabase_ranksTheTopHundredExactly() throws Exception {
    try (TraceReader trace = Traces.openOrSkip("orm-busy.keys.xz")) {
      for (byte[] key = trace.next(); key != null; key = trace.next()) {
        touch(key);
      }
    }

    assertTopIsRight();
  }

  private void touch(byte[] key) {
    long hashed = hash.hash(key);
    sketch.add(hashed, 1);
    exact.merge(hashed, 1L, Long::sum);
  }

  private void assertTopIsRight() {
    List<Long> trueTop = top(this::count);
    List<Long> estimatedTop = top(sketch::estimate);
    double error =
        trueTop.stream()
            .mapToDouble(key -> (double) sketch.estimate(key) / count(key) - 1)
            .average()
            .orElseThrow();

    assertThat(sketch.bytes()).isLessThan(66_000);
    assertThat(exact.keySet()).allMatch(key -> sketch.estimate(key) >= count(key));
    // A tie at the hundredth place may fall either way.
    long last = count(trueTop.get(TOP - 1));
    assertThat(estimatedTop).allMatch(key -> count(key) >= last);
    assertThat(error).isLessThan(0.001);
  }

  private long count(long key) {
    return exact.getOrDefault(key, 0L);
  }

  private List<Long> top(ToLongFunction<Long> count) {
    return exact.keySet().stream()
        .sorted(Comparator.comparingLong(count).reversed())
        .limit(TOP)
        .toList();
  }
}
