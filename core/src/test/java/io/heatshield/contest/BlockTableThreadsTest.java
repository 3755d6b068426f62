package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class BlockTableThreadsTest {
  private static final int THREADS = 4;
  private static final int KEYS = 2_000;
  private static final int CAPACITY = 100;

  private final BlockTable table = ContestFixture.blocks(CAPACITY, new FakeTicker()::nanos);

  @Test
  void block_differentKeysByThreads_neverExceedsTheCapacity() throws Exception {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String prefix = "client:" + thread + ":";
      tasks.add(
          () -> {
            int blocked = 0;
            for (int i = 0; i < KEYS; i++) {
              BlockOutcome outcome =
                  ContestFixture.block(table, prefix + i, Duration.ofMinutes(1), 0);
              blocked += outcome == BlockOutcome.BLOCKED ? 1 : 0;
              assertThat(table.blocks()).hasSizeLessThanOrEqualTo(CAPACITY);
            }
            return blocked;
          });
    }

    int blocked = 0;
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (Future<Integer> task : threads.invokeAll(tasks)) {
        blocked += task.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(blocked).isEqualTo(CAPACITY);
    assertThat(table.blocks()).hasSize(CAPACITY);
    assertThat(table.stats())
        .isEqualTo(
            new BlockStats(CAPACITY, CAPACITY, CAPACITY, 0, (long) THREADS * KEYS - CAPACITY, 0));
  }
}
