package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the documented error over 1,000 secrets: P[error &gt; epsilon x N] &lt;= delta.
 *
 * <p>Each secret is one trial: it fails if the estimate of a key that was never touched exceeds the
 * bound. Trials are independent, so the number of failures is binomial. The limit is five standard
 * deviations above delta x 1,000. The secrets are fixed.
 */
class SketchErrorTest {
  private static final int SECRETS = 1_000;

  @ParameterizedTest
  @CsvSource({"64, 1, 1", "64, 2, 1", "64, 2, 4", "100, 3, 2"})
  void errorBound_manySecrets_isExceededNoMoreOftenThanDocumented(
      int width, int depth, int stripes) {
    var random = new SplittableRandom(width * 100L + depth);
    int exceeded = 0;
    int below = 0;

    for (int trial = 0; trial < SECRETS; trial++) {
      byte[] secret = new byte[16];
      random.nextBytes(secret);
      CountMinSketch sketch =
          CountMinSketch.builder()
              .secret(HashSecret.of(secret))
              .width(width)
              .depth(depth)
              .stripes(stripes)
              .build();
      KeyHash hash = sketch.keyHash();
      SketchStripes parts = sketch.stripes();
      // A few large keys are the worst case: a key that collides with one has a large error.
      for (int key = 0; key < 40; key++) {
        parts.get(key % stripes).add(hash.hash("large:" + key), 100);
        parts.get((key + 1) % stripes).add(hash.hash("large:" + key), 3);
      }

      exceeded += sketch.estimate("asked") > sketch.errorBound() ? 1 : 0;
      below += sketch.estimate("large:7") < 103 ? 1 : 0;
    }

    double delta = Math.exp(-depth);
    double limit = SECRETS * delta + 5 * Math.sqrt(SECRETS * delta * (1 - delta));
    assertThat((double) exceeded).isLessThanOrEqualTo(limit);
    assertThat(below).isZero();
  }
}
