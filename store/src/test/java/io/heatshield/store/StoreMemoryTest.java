package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreMemoryTest {
  private final AtomicLong used = new AtomicLong();
  private final List<Integer> told = new ArrayList<>();

  @Test
  void check_asMemoryFills_reportsEachLevelOnce() {
    var levels = new StoreMemory.Levels(1000, used::get, pressure -> told.add(pressure.percent()));

    for (long bytes : new long[] {500, 799, 800, 850, 900, 940, 950, 1000}) {
      used.set(bytes);
      levels.check();
    }

    assertThat(told).containsExactly(80, 90, 95);
  }

  @Test
  void check_afterRelief_reportsAgainWhenItFillsAgain() {
    var levels = new StoreMemory.Levels(1000, used::get, pressure -> told.add(pressure.percent()));
    used.set(960);
    levels.check();

    used.set(100);
    levels.check();
    used.set(900);
    levels.check();

    assertThat(told).containsExactly(80, 90, 95, 80, 90);
  }

  @Test
  void check_whenALowerLevelBringsRelief_doesNotReportTheHigher() {
    var levels =
        new StoreMemory.Levels(
            1000,
            used::get,
            pressure -> {
              told.add(pressure.percent());
              if (pressure.percent() == 90) {
                used.set(910);
              }
            });
    used.set(960);

    levels.check();

    assertThat(told).containsExactly(80, 90);
  }
}
