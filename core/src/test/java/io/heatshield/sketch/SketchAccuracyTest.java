package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.trace.TraceReader;
import io.heatshield.testkit.trace.Traces;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the hottest hundred keys by a sketch of 64 KB with exact counts.
 *
 * <p>A cold key seems as hot as the hundredth key if it collides with hotter keys in all four rows.
 * The probability of this is about (100 / 4096)^4 for one key. A stream has hundreds of thousands
 * of keys, so a few secrets have such a key, and then a recall of 0.99: of the first eight secrets,
 * the first one. So the test uses the mean over several secrets.
 */
class SketchAccuracyTest {
  private static final int TOP = 100;
  private static final int WIDTH = 4096;
  private static final int DEPTH = 4;
  private static final int SECRETS = 4;

  private final Map<String, Long> exact = new HashMap<>();
  private final List<CountMinSketch> sketches = new ArrayList<>();

  SketchAccuracyTest() {
    for (int i = 0; i < SECRETS; i++) {
      byte[] secret = new byte[16];
      secret[0] = (byte) i;
      sketches.add(
          CountMinSketch.builder()
              .secret(HashSecret.of(secret))
              .width(WIDTH)
              .depth(DEPTH)
              .stripes(1)
              .build());
    }
  }

  @Tag("thorough")
  @Test
  void estimate_zipfStream_findsNearlyAllOfTheTopHundred() {
    var ranks = new Zipf(1_000_000, 1.0, 42);

    for (int i = 0; i < 4_200_000; i++) {
      touch(ranks.nextKey());
    }

    assertTopIsRight();
  }

  @Test
  void estimate_databaseTrace_findsNearlyAllOfTheTopHundred() throws Exception {
    try (TraceReader trace = Traces.openOrSkip("orm-busy.keys.xz")) {
      for (byte[] key = trace.next(); key != null; key = trace.next()) {
        touch(key);
      }
    }

    assertTopIsRight();
  }

  private void touch(byte[] key) {
    for (int i = 0; i < SECRETS; i++) {
      sketches.get(i).touch(key);
    }
    exact.merge(new String(key, StandardCharsets.US_ASCII), 1L, Long::sum);
  }

  private void assertTopIsRight() {
    List<String> trueTop = top(this::count);
    long last = count(trueTop.get(TOP - 1));
    int found = 0;
    double error = 0;
    for (int i = 0; i < SECRETS; i++) {
      int secret = i;
      // Keys with the same count as the hundredth key are also right.
      found +=
          (int) top(key -> estimate(secret, key)).stream().filter(k -> count(k) >= last).count();
      for (String key : trueTop) {
        error += (double) estimate(secret, key) / count(key) - 1;
      }
      assertThat(exact.keySet()).allMatch(key -> estimate(secret, key) >= count(key));
      assertThat(sketches.get(i).bytes()).isLessThan(66_000);
    }

    assertThat(found / (double) (SECRETS * TOP)).as("recall").isGreaterThanOrEqualTo(0.995);
    assertThat(error / (SECRETS * TOP)).as("mean relative error").isLessThan(0.001);
  }

  private long count(String key) {
    return exact.getOrDefault(key, 0L);
  }

  private long estimate(int secret, String key) {
    return sketches.get(secret).estimate(key);
  }

  private List<String> top(ToLongFunction<String> count) {
    return exact.keySet().stream()
        .sorted(Comparator.comparingLong(count).reversed())
        .limit(TOP)
        .toList();
  }
}
