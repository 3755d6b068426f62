package io.heatshield.testkit.keys;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfTest {
  private static final long SEED = 20_261_115;
  private static final int DRAWS = 1_000_000;

  /**
   * Pearson's statistic has a mean of cells - 1 and a variance of about twice that; four deviations
   * above is not random, and the seed is fixed. Many small cells find a bug in the tail, few large
   * ones a bug in the first ranks.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "2, 1.0",
    "10, 0.5",
    "10, 1.0",
    "10, 3.0",
    "1000, 0.01",
    "1000, 0.5",
    "1000, 0.99",
    "1000, 0.9999999999",
    "1000, 1.0",
    "1000, 1.0000000001",
    "1000, 1.01",
    "1000, 1.5",
    "1000, 2.0",
    "1000, 10.0",
    "100000, 0.7",
    "100000, 1.0",
    "100000, 1.2",
    "1000000, 1.0"
  })
  void next_aMillionDraws_fitTheExactProbabilities(int n, double s) {
    double[] expected = expected(n, s);
    long[] seen = new long[n + 1];

    var zipf = new Zipf(n, s, SEED);
    for (int i = 0; i < DRAWS; i++) {
      seen[Math.toIntExact(zipf.next())]++;
    }

    assertThat(seen[0]).isZero();
    assertThat(LongStream.of(seen).sum()).isEqualTo(DRAWS);
    assertFits(expected, seen, 100);
    assertFits(expected, seen, DRAWS / 50);
  }

  @Test
  void next_sameSeed_returnsTheSameRanks() {
    var one = new Zipf(1000, 1.0, 7);
    var two = new Zipf(1000, 1.0, 7);
    var other = new Zipf(1000, 1.0, 8);

    long[] ranks = LongStream.generate(one::next).limit(100).toArray();

    assertThat(LongStream.generate(two::next).limit(100).toArray()).isEqualTo(ranks);
    assertThat(LongStream.generate(other::next).limit(100).toArray()).isNotEqualTo(ranks);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.2, 1.0, 1.1, 5.0, 100.0})
  void next_hugeRange_staysInRange(double s) {
    var zipf = new Zipf(1L << 50, s, SEED);

    for (int i = 0; i < 10_000; i++) {
      assertThat(zipf.next()).isBetween(1L, 1L << 50);
    }
  }

  @Test
  void key_anyRank_has24BytesAndItsNumber() {
    assertThat(Zipf.key(0)).isEqualTo("key:00000000000000000000".getBytes(US_ASCII));
    assertThat(Zipf.key(12_345)).isEqualTo("key:00000000000000012345".getBytes(US_ASCII));
    assertThat(Zipf.key(Long.MAX_VALUE)).isEqualTo("key:09223372036854775807".getBytes(US_ASCII));
    assertThat(new Zipf(1, 1.0, SEED).nextKey()).isEqualTo(Zipf.key(1));
  }

  @Test
  void constructor_badArguments_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(0, 1.0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(1L << 51, 1.0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(10, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(10, Double.NaN, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Zipf.key(-1));
  }

  private static void assertFits(double[] expected, long[] seen, double cellSize) {
    double statistic = 0;
    int cells = 0;
    double wanted = 0;
    double got = 0;
    for (int k = 1; k < expected.length; k++) {
      wanted += expected[k];
      got += seen[k];
      if (wanted >= cellSize || k == expected.length - 1) {
        statistic += (got - wanted) * (got - wanted) / Math.max(wanted, 1);
        cells++;
        wanted = 0;
        got = 0;
      }
    }
    assertThat(statistic).as("over %d cells", cells).isLessThan(cells + 4 * Math.sqrt(2.0 * cells));
  }

  private static double[] expected(int n, double s) {
    double[] expected = new double[n + 1];
    double sum = 0;
    for (int k = n; k >= 1; k--) {
      expected[k] = Math.pow(k, -s);
      sum += expected[k];
    }
    for (int k = 1; k <= n; k++) {
      expected[k] *= DRAWS / sum;
    }
    return expected;
  }
}
