package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.testkit.time.FakeTicker;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares scores with a BigDecimal model of forty digits. */
class DecayTest {
  private static final MathContext DIGITS = new MathContext(40);
  private static final long TEN_YEARS = Duration.ofDays(3653).toNanos();
  private static final BigDecimal LEAST = new BigDecimal("1e-300");

  @Test
  void touched_gapsFromZeroToTenYears_isExact() {
    long[] windows = {1_000_000, 1_000_000_000L, 60_000_000_000L, Duration.ofDays(366).toNanos()};
    var random = new SplittableRandom(14);

    for (long window : windows) {
      var decay = new Decay(window);
      for (int i = 0; i < 1_000; i++) {
        // Uniform in the logarithm, so that gaps of every magnitude occur.
        long gap = i == 0 ? 0 : (long) Math.exp(random.nextDouble() * Math.log((double) TEN_YEARS));
        double score = Math.exp(random.nextDouble() * 40 - 10);
        long weight = random.nextInt(1, 1000);

        double touched = decay.touched(score, gap, weight);
        double decayed = decay.after(score, gap);

        BigDecimal exactlyDecayed = decayed(score, gap, window);
        assertClose(touched, exactlyDecayed.add(BigDecimal.valueOf(weight)), score, gap, window);
        assertClose(decayed, exactlyDecayed, score, gap, window);
      }
    }
  }

  @Test
  void after_gapsAroundTheSeriesLimit_equalsExpToFourUlps() {
    long window = Duration.ofMinutes(1).toNanos();
    var decay = new Decay(window);
    var random = new SplittableRandom(17);

    for (int i = 0; i < 1_000; i++) {
      long gap = random.nextLong(1, window / 256);
      double exact = Math.exp(-gap / (double) window);
      assertThat(decay.after(1, gap)).isCloseTo(exact, within(4 * Math.ulp(exact)));
    }
  }

  @Test
  void touched_aThousandTimes_isExact() {
    long window = 1_000_000_000;
    var decay = new Decay(window);
    var random = new SplittableRandom(15);
    double score = 0;
    BigDecimal exact = BigDecimal.ZERO;

    for (int i = 0; i < 1_000; i++) {
      long gap = random.nextLong(window / 10);
      score = decay.touched(score, gap, 1);
      exact = exact.multiply(factor(gap, window), DIGITS).add(BigDecimal.ONE);
    }

    assertClose(score, exact, score, 0, window);
  }

  @Test
  void rate_gapsFromZeroToTenYears_isExact() {
    long window = Duration.ofMinutes(1).toNanos();
    var ticker = new FakeTicker();
    ContestTable table =
        ContestFixture.table(
            HeavyHitters.builder()
                .maxKeys(4)
                .window(Duration.ofNanos(window))
                .ticker(ticker::nanos));
    var random = new SplittableRandom(16);
    BigDecimal exact = BigDecimal.ZERO;

    for (int i = 0; i < 500; i++) {
      long gap = i == 0 ? 0 : (long) Math.exp(random.nextDouble() * Math.log((double) TEN_YEARS));
      long weight = random.nextInt(1, 1000);
      // Most gaps are short, so that their sum does not overflow the ticker.
      gap = i % 25 == 0 ? gap : gap % (3 * window);
      ticker.advanceNanos(gap);
      exact = exact.multiply(factor(gap, window), DIGITS).add(BigDecimal.valueOf(weight));
      Tracked entry = ContestFixture.tracked(ContestFixture.weigh(table, "client", weight));

      BigDecimal rate = exact.divide(BigDecimal.valueOf(60), DIGITS);
      assertClose(entry.rate(), rate, entry.rate(), gap, window);
    }
  }

  @Test
  void touched_maximumScore_saturates() {
    var decay = new Decay(1_000_000);

    assertThat(decay.touched(Double.MAX_VALUE, 0, Long.MAX_VALUE)).isEqualTo(Double.MAX_VALUE);
    assertThat(decay.after(Double.MAX_VALUE, TEN_YEARS)).isZero();
  }

  @Test
  void touched_tickerGoesBack_addsWithoutDecay() {
    assertThat(new Decay(1_000_000).touched(5, -1_000, 2)).isEqualTo(7);
  }

  private static void assertClose(
      double actual, BigDecimal exact, double score, long gap, long window) {
    assertThat(actual).isFinite().isNotNegative();
    if (exact.compareTo(LEAST) < 0) {
      assertThat(actual).isLessThan(1e-299);
      return;
    }
    BigDecimal error = new BigDecimal(actual).subtract(exact).abs().divide(exact, DIGITS);
    assertThat(error)
        .as("score %s, gap %s, window %s", score, gap, window)
        .isLessThan(new BigDecimal("1e-12"));
  }

  private static BigDecimal decayed(double score, long gap, long window) {
    return new BigDecimal(score).multiply(factor(gap, window), DIGITS);
  }

  /** Returns e^-(gap / window), by the series for a small argument and repeated squaring. */
  private static BigDecimal factor(long gap, long window) {
    if (gap / window > 2_000) {
      return BigDecimal.ZERO;
    }
    var wide = new MathContext(60);
    int halvings = 16;
    BigDecimal x =
        BigDecimal.valueOf(gap)
            .divide(BigDecimal.valueOf(window), wide)
            .divide(BigDecimal.valueOf(1L << halvings), wide);
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    for (int i = 1; i < 40; i++) {
      term = term.multiply(x, wide).divide(BigDecimal.valueOf(i), wide).negate();
      sum = sum.add(term, wide);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, wide);
    }
    return sum;
  }
}
