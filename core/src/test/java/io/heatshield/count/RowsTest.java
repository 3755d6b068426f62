package io.heatshield.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowsTest {
  private static final int SAMPLES = 1 << 18;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64, 1000, 1024, 4099, 65_536})
  void position_uniformHashes_fillEveryRowEvenly(int width) {
    var random = new SplittableRandom(width);
    int[][] filled = new int[Rows.MAX_DEPTH][width];

    for (int i = 0; i < SAMPLES; i++) {
      long hash = random.nextLong();
      for (int row = 0; row < Rows.MAX_DEPTH; row++) {
        filled[row][Rows.position(hash, row, width)]++;
      }
    }

    for (int[] row : filled) {
      assertThat(excess(row)).as("standard deviations above even").isLessThan(5.5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 61, 64, 100})
  void position_anyTwoRows_areIndependent(int width) {
    var random = new SplittableRandom(width);
    double worst = 0;

    for (int one = 0; one < Rows.MAX_DEPTH; one++) {
      for (int other = one + 1; other < Rows.MAX_DEPTH; other++) {
        int[] together = new int[width * width];
        for (int i = 0; i < SAMPLES / 4; i++) {
          long hash = random.nextLong();
          together[Rows.position(hash, one, width) * width + Rows.position(hash, other, width)]++;
        }
        worst = Math.max(worst, excess(together));
      }
    }

    assertThat(worst).as("standard deviations above even").isLessThan(5.5);
  }

  /** Two keys that collide in two rows must not collide in a third more often than any two do. */
  @Test
  void position_twoCollisions_makeAThirdNoMoreLikely() {
    var random = new SplittableRandom(7);
    int width = 16;
    int pairs = 1 << 22;
    int inTwo = 0;
    int inThree = 0;
    int inFour = 0;

    for (int i = 0; i < pairs; i++) {
      long a = random.nextLong();
      long b = random.nextLong();
      if (collide(a, b, 0, width) && collide(a, b, 1, width)) {
        inTwo++;
        if (collide(a, b, 2, width)) {
          inThree++;
          inFour += collide(a, b, 3, width) ? 1 : 0;
        }
      }
    }

    assertThat(inTwo).isBetween(15_800, 16_970);
    assertThat(inThree).isBetween(860, 1190);
    assertThat(inFour).isBetween(25, 105);
  }

  @Test
  void position_extremeHashesAndWidths_areInRange() {
    for (long hash : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (int width : new int[] {1, 2, 3, 1 << 30, Integer.MAX_VALUE}) {
        for (int row = 0; row < Rows.MAX_DEPTH; row++) {
          assertThat(Rows.position(hash, row, width)).isBetween(0, width - 1);
        }
      }
    }
  }

  /** Positions are part of stored formats: if they change, the formats change. */
  @Test
  void position_knownHash_isTheStoredOne() {
    int[] positions = new int[6];
    Arrays.setAll(positions, row -> Rows.position(0x0123456789abcdefL, row, 1000));

    assertThat(positions).containsExactly(764, 160, 3, 499, 983, 186);
  }

  private static boolean collide(long a, long b, int row, int width) {
    return Rows.position(a, row, width) == Rows.position(b, row, width);
  }

  private static double excess(int[] filled) {
    if (filled.length == 1) {
      return 0;
    }
    double expected = Arrays.stream(filled).sum() / (double) filled.length;
    double chi =
        Arrays.stream(filled).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    return (chi - (filled.length - 1)) / Math.sqrt(2.0 * (filled.length - 1));
  }
}
