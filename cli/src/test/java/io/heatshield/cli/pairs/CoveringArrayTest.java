package io.heatshield.cli.pairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoveringArrayTest {
  private static final CoveringArray.Rule ANY = (factor, value, other, otherValue) -> true;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 20_261_118})
  void of_withoutRules_coversEveryPairInFewRows(long seed) {
    int[] sizes = {4, 3, 3, 2, 2, 2};

    List<int[]> rows = CoveringArray.of(sizes, ANY, seed);

    assertThat(covered(rows)).isEqualTo(CoveringArray.allowedPairs(sizes, ANY));
    assertThat(rows).hasSizeBetween(12, 20);
  }

  @Test
  void of_theSameSeed_givesTheSameRows() {
    int[] sizes = {3, 3, 2};

    int[][] rows = CoveringArray.of(sizes, ANY, 7).toArray(int[][]::new);

    assertThat(CoveringArray.of(sizes, ANY, 7).toArray(int[][]::new)).isDeepEqualTo(rows);
    assertThat(Arrays.deepEquals(CoveringArray.of(sizes, ANY, 8).toArray(int[][]::new), rows))
        .isFalse();
  }

  @Test
  void of_pairThatFitsIntoNoRow_isRejected() {
    // The values 0 of the first two factors are allowed together, and with no value of the third.
    CoveringArray.Rule rule = (factor, value, other, otherValue) -> other != 2 || value != 0;

    assertThatThrownBy(() -> CoveringArray.of(new int[] {2, 2, 2}, rule, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must fit into a row");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 20_261_118})
  void combinations_ofAnySeed_haveEveryAllowedPairAndNoOther(long seed) {
    List<int[]> rows = Combination.all(seed).stream().map(Combination::indexes).toList();

    assertThat(covered(rows))
        .isEqualTo(CoveringArray.allowedPairs(Factor.sizes(), Factor::areAllowed));
    assertThat(rows).hasSizeBetween(12, 30);
  }

  private static Set<CoveringArray.Pair> covered(List<int[]> rows) {
    var covered = new HashSet<CoveringArray.Pair>();
    rows.forEach(row -> covered.addAll(CoveringArray.pairsOf(row)));
    return covered;
  }
}
