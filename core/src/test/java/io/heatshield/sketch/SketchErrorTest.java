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
  @CsvSource({
    "ADDITIVE, 64, 1, 1",
    "ADDITIVE, 64, 2, 1",
    "ADDITIVE, 64, 2, 4",
    "ADDITIVE, 100, 3, 2",
    "CONSERVATIVE, 64, 1, 1",
    "CONSERVATIVE, 64, 2, 4",
  })
  void errorBound_manySecrets_isExceededNoMoreOftenThanDocumented(
      Update update, int width, int depth, int stripes) {
    var random = new SplittableRandom(width * 100L + depth);
    int exceeded = 0;
    int below = 0;

    for (int trial = 0; trial < SECRETS; trial++) {
      byte[] secret = new byte[16];
      random.nextBytes(secret);
      KeyHash hash = KeyHash.fast(HashSecret.of(secret));
      SketchStripe[] parts = new SketchStripe[stripes];
      CountMinSketch sketch =
          CountMinSketch.builder().dimensions(width, depth).stripes(stripes).update(update).build();
      for (int i = 0; i < stripes; i++) {
        parts[i] = sketch.stripe(i);
      }
      // A few large keys are the worst case: a key that collides with one has a large error.
      for (int key = 0; key < 40; key++) {
        parts[key % stripes].add(hash.hash("large:" + key), 100);
        parts[(key + 1) % stripes].add(hash.hash("large:" + key), 3);
      }

      exceeded += sketch.estimate(hash.hash("asked")) > sketch.errorBound() ? 1 : 0;
      below += sketch.estimate(hash.hash("large:7")) < 103 ? 1 : 0;
    }

    double delta = Math.exp(-depth);
    double limit = SECRETS * delta + 5 * Math.sqrt(SECRETS * delta * (1 - delta));
    assertThat((double) exceeded).isLessThanOrEqualTo(limit);
    assertThat(below).isZero();
  }
}
