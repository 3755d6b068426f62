package io.heatshield.insight.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeatHistoryTest {
  private final HeatHistory history = new HeatHistory();

  @Test
  void between_severalSamplesInOneInterval_returnsTheHighestRateAndTheHottestFirst() {
    history.add(1_000, List.of(heat("a", 5), heat("b", 7)));
    history.add(2_000, List.of(heat("a", 9)));
    history.add(6_000, List.of(heat("b", 8)));

    HeatMap map = history.between(any -> true, 1_000, 11_000, 2, 10);

    assertThat(map.lines()).extracting(line -> line.name().key()).containsExactly("a", "b");
    assertThat(map.lines().get(0).rates()).containsExactly(9f, 0f);
    assertThat(map.lines().get(1).rates()).containsExactly(7f, 8f);
    assertThat(map.seen()).containsExactly(true, true);
  }

  @Test
  void between_anotherScopeOrTime_isEmpty() {
    history.add(1_000, List.of(heat("a", 5)));

    assertThat(history.between(name -> name.scope().equals("other"), 0, 2_000, 1, 10).lines())
        .isEmpty();
    assertThat(history.between(any -> true, 1_001, 2_000, 1, 10).lines()).isEmpty();
    assertThat(history.between(any -> true, 0, 1_000, 1, 10).seen()).containsExactly(false);
  }

  @Test
  void add_moreSamplesThanColumns_dropsTheOldest() {
    for (int i = 1; i <= HeatHistory.COLUMNS + 3; i++) {
      history.add(i, List.of(heat("k" + i, 1)));
    }

    HeatMap map = history.between(any -> true, 1, HeatHistory.COLUMNS + 4, 1, Integer.MAX_VALUE);

    assertThat(map.lines()).hasSize(HeatHistory.COLUMNS);
    assertThat(map.lines()).extracting(line -> line.name().key()).doesNotContain("k3");
  }

  @Test
  void add_tooManyNames_omitsThemUntilColumnsAreReplaced() {
    int moments = 0;
    while (history.leftOut() == 0) {
      int from = moments * HeatHistory.CELLS;
      history.add(++moments, heats(from, HeatHistory.CELLS));
    }
    assertThat((long) moments * HeatHistory.CELLS - history.leftOut())
        .isEqualTo(HeatHistory.MAX_NAMES);
    for (int i = 0; i < HeatHistory.COLUMNS; i++) {
      history.add(++moments, List.of());
    }
    long before = history.leftOut();

    history.add(++moments, heats(0, HeatHistory.CELLS));

    assertThat(history.leftOut()).isEqualTo(before);
    assertThat(history.between(any -> true, moments, moments + 1, 1, 100).lines())
        .hasSize(HeatHistory.CELLS);
  }

  @Test
  void between_anyTraffic_equalsAPlainList() {
    var random = new SplittableRandom(1);
    var all = new ArrayList<List<Heat>>();
    for (int i = 0; i < 2 * HeatHistory.COLUMNS; i++) {
      List<Heat> heats = new ArrayList<>();
      random.ints(3, 0, 50).distinct().forEach(k -> heats.add(heat("k" + k, random.nextInt(1, 9))));
      all.add(heats);
      history.add(i + 1, heats);
    }
    int from = all.size() - HeatHistory.COLUMNS;

    HeatMap map = history.between(any -> true, from + 1, all.size() + 1, HeatHistory.COLUMNS, 50);

    for (HeatMap.Line line : map.lines()) {
      for (int i = 0; i < HeatHistory.COLUMNS; i++) {
        double expected =
            all.get(from + i).stream()
                .filter(heat -> heat.name().equals(line.name()))
                .mapToDouble(Heat::rate)
                .sum();
        assertThat((double) line.rates().get(i)).isEqualTo(expected);
      }
    }
    assertThat(map.lines()).hasSize(50);
  }

  private static List<Heat> heats(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(i -> heat("k" + i, i + 1)).toList();
  }

  private static Heat heat(String key, double rate) {
    return new Heat(new HotName("s", key, "0", false), rate);
  }
}
