package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class XoroshiroTest {

  @Test
  void next_stateOneTwo_isThePublishedSequence() {
    var random = new Xoroshiro(1, 2);

    assertThat(random.next()).isEqualTo(393217L);
    assertThat(random.next()).isEqualTo(669327710093319L);
    assertThat(random.next()).isEqualTo(1732421326133921491L);
  }

  @Test
  void next_stateZero_returnsDifferentNumbers() {
    var random = new Xoroshiro(0, 0);

    assertThat(LongStream.generate(random::next).limit(10).distinct().count()).isEqualTo(10);
  }

  @Test
  void below_bound_isUniform() {
    var random = new Xoroshiro(3, 4);
    int[] counts = new int[10];

    for (int i = 0; i < 100_000; i++) {
      counts[random.below(10)]++;
    }

    for (int count : counts) {
      assertThat(count).isBetween(9_500, 10_500);
    }
  }
}
