package io.heatshield.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ZipfTest {

  @Test
  void next_manyDraws_followTheLaw() {
    var zipf = new Zipf(4, 1.0, new SplittableRandom(1));
    int draws = 100_000;

    var counts = new int[4];
    for (int i = 0; i < draws; i++) {
      counts[zipf.next()]++;
    }

    double sum = 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0;
    for (int rank = 0; rank < 4; rank++) {
      double expected = draws / (rank + 1.0) / sum;
      assertThat((double) counts[rank]).isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void next_oneRank_isAlwaysThat() {
    var zipf = new Zipf(1, 1.0, new SplittableRandom(1));

    assertThat(zipf.next()).isZero();
  }

  @Test
  void new_noRanks_isRefused() {
    assertThatThrownBy(() -> new Zipf(0, 1.0, new SplittableRandom(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ranks must be positive: 0");
  }
}
