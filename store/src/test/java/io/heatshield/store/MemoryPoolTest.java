package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {
  private final AtomicLong used = new AtomicLong();
  private final List<Integer> told = new ArrayList<>();

  @Test
  void look_asMemoryFills_tellsEachLevelOnce() {
    var pool = new MemoryPool(1000, used::get, pressure -> told.add(pressure.percent()));

    for (long bytes : new long[] {500, 799, 800, 850, 900, 940, 950, 1000}) {
      used.set(bytes);
      pool.look();
    }

    assertThat(told).containsExactly(80, 90, 95);
  }

  @Test
  void look_afterRelief_tellsAgainWhenItFillsAgain() {
    var pool = new MemoryPool(1000, used::get, pressure -> told.add(pressure.percent()));
    used.set(960);
    pool.look();

    used.set(100);
    pool.look();
    used.set(900);
    pool.look();

    assertThat(told).containsExactly(80, 90, 95, 80, 90);
  }

  @Test
  void look_whenALowerLevelBringsRelief_doesNotTellTheHigher() {
    var pool =
        new MemoryPool(
            1000,
            used::get,
            pressure -> {
              told.add(pressure.percent());
              if (pressure.percent() == 90) {
                used.set(910);
              }
            });
    used.set(960);

    pool.look();

    assertThat(told).containsExactly(80, 90);
  }
}
