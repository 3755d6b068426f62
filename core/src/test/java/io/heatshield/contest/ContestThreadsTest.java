package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Concurrent touches: scores are exact, the capacity holds, each eviction is reported once. */
@Tag("threads")
class ContestThreadsTest {
  private static final int THREADS = 4;
  private static final int TOUCHES = 40_000;

  private final ContestFixture fixture = new ContestFixture();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void touch_trackedKeysByThreads_losesNoTouch() throws Exception {
    ContestTable table = fixture.table(1_000);

    run(
        thread -> {
          for (int i = 0; i < TOUCHES; i++) {
            assertThat(ContestFixture.touch(table, "client:" + (i % 100))).isNotNull();
          }
        });

    assertThat(table.top(1_000)).hasSize(100);
    assertThat(table.top(1_000))
        .allMatch(entry -> entry.score() == (double) THREADS * TOUCHES / 100);
    assertThat(table.stats().touches()).isEqualTo((long) THREADS * TOUCHES);
  }

  @Test
  void touch_floodByThreads_keepsTheCapacityAndReportsEachEviction() throws Exception {
    Queue<Tracked> reported = new ConcurrentLinkedQueue<>();
    ContestTable table = ContestFixture.table(fixture.builder(64).stripes(2), reported::add);
    Queue<Tracked> returned = new ConcurrentLinkedQueue<>();

    run(
        thread -> {
          var random = new SplittableRandom(thread);
          for (int i = 0; i < TOUCHES; i++) {
            Tracked entry = ContestFixture.touch(table, "client:" + random.nextInt(1_000));
            if (entry != null) {
              returned.add(entry);
            }
            fixture.ticker.advanceNanos(100_000);
            if (i % 1_000 == 0) {
              assertThat(table.stats().size()).isLessThanOrEqualTo(64);
              assertThat(table.top(100)).hasSizeLessThanOrEqualTo(64);
            }
          }
        });

    assertThat(reported).hasSize((int) table.stats().evictions()).doesNotHaveDuplicates();
    assertThat(reported).isNotEmpty().allMatch(Tracked::isEvicted);
    // Every returned entry is still in the table or marked as evicted.
    assertThat(returned)
        .allMatch(entry -> entry.isEvicted() != (ContestFixture.find(table, entry.key()) == entry));
  }

  /** Runs a task on every thread; fails if one of them fails. */
  private void run(IntConsumer task) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      running.add(threads.submit(() -> task.accept(number)));
    }
    for (Future<?> future : running) {
      future.get(2, TimeUnit.MINUTES);
    }
  }
}
