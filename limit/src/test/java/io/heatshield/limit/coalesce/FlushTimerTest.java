package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The coalescer with its timer, in real time. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // Some callers only have to be there.
class FlushTimerTest {
  @Test
  void add_byManyThreads_returnsEachRankOnce() throws Exception {
    try (var coalescer = coalescer(Duration.ofNanos(300_000), 64)) {
      var result = new ArrayList<CompletableFuture<Long>>();
      List<Thread> threads =
          IntStream.range(0, 4).mapToObj(i -> asking(coalescer, result)).toList();

      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }

      List<Long> counts = new ArrayList<>();
      for (CompletableFuture<Long> each : result) {
        counts.add(each.get(30, TimeUnit.SECONDS));
      }
      assertThat(counts)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 20_000).boxed().toList());
    }
  }

  @Test
  void add_byManyLoops_returnsEachRankOnce() throws Exception {
    List<RealLoop> loops = Stream.generate(RealLoop::new).limit(3).toList();
    try (var coalescer = coalescer(Duration.ofNanos(300_000), 64, RealLoop.CURRENT::get)) {
      var result = new ArrayList<CompletableFuture<Long>>();
      for (int i = 0; i < 15_000; i++) {
        var each = new CompletableFuture<Long>();
        result.add(each);
        loops.get(i % 3).runAtTurnEnd(() -> ask(coalescer, each));
      }

      List<Long> counts = new ArrayList<>();
      for (CompletableFuture<Long> each : result) {
        counts.add(each.get(30, TimeUnit.SECONDS));
      }
      assertThat(counts)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 15_000).boxed().toList());
    } finally {
      loops.forEach(RealLoop::end);
    }
  }

  @Test
  void add_withoutALaterCall_isAnsweredByTheTimer() throws Exception {
    try (var coalescer = coalescer(Duration.ofMillis(20), 64)) {
      ask(coalescer).get(30, TimeUnit.SECONDS);

      for (int i = 0; i < 3; i++) {
        assertThat(ask(coalescer).get(30, TimeUnit.SECONDS)).isEqualTo(i + 2L);
      }
    }
  }

  @Test
  void add_whileTheTimerGoesToSleep_isAnswered() throws Exception {
    try (var coalescer = coalescer(Duration.ofNanos(20_000), 64)) {
      long count = 0;

      for (int i = 0; i < 20_000; i++) {
        count = ask(coalescer).get(10, TimeUnit.SECONDS);
      }

      assertThat(count).isEqualTo(20_000);
    }
  }

  @Test
  void close_withAPendingBatch_answersItBeforeTheWindowEnds() throws Exception {
    var coalescer = coalescer(Duration.ofSeconds(1), 64);
    ask(coalescer);
    CompletableFuture<Long> gathering = ask(coalescer);

    coalescer.close();

    assertThat(gathering.get(30, TimeUnit.SECONDS)).isEqualTo(2);
  }

  private static Thread asking(CoalescingCounters to, List<CompletableFuture<Long>> result) {
    return new Thread(
        () -> {
          for (int i = 0; i < 5_000; i++) {
            CompletableFuture<Long> each = ask(to);
            synchronized (result) {
              result.add(each);
            }
          }
        });
  }

  private static CompletableFuture<Long> ask(CoalescingCounters to) {
    var result = new CompletableFuture<Long>();
    ask(to, result);
    return result;
  }

  private static void ask(CoalescingCounters to, CompletableFuture<Long> result) {
    CounterSink sink = new CoalescerHarness.FutureSink(result);
    to.add(CoalescerHarness.key("k"), CoalescerHarness.LIMIT, 1, CoalescerHarness.NOW, sink, 3);
  }

  private static CoalescingCounters coalescer(Duration window, int batch) {
    return coalescer(window, batch, () -> null);
  }

  private static CoalescingCounters coalescer(
      Duration window, int batch, Supplier<@Nullable CallerLoop> loops) {
    Action action = new Savings().action("coalesce", "limits", Mode.ENFORCE);
    var coalescer =
        new CoalescingCounters(
            new MemoryCounters(10, () -> CoalescerHarness.NOW),
            action,
            new CoalesceSettings(64 << 10, 4, 1, 10, window, batch, Duration.ofSeconds(10)),
            BatchListener.NONE,
            Ticker.system(),
            loops);
    coalescer.start();
    return coalescer;
  }

  /** An event loop with a thread. */
  private static final class RealLoop implements CallerLoop {
    private static final ThreadLocal<@Nullable CallerLoop> CURRENT = new ThreadLocal<>();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    RealLoop() {
      thread.execute(() -> CURRENT.set(this));
    }

    @Override
    public boolean runAtTurnEnd(Runnable work) {
      thread.execute(work);
      return true;
    }

    @Override
    public boolean runAfter(long nanos, Runnable work) {
      thread.schedule(work, nanos, TimeUnit.NANOSECONDS);
      return true;
    }

    @Override
    public void runOnLoop(Runnable work) {
      try {
        thread.execute(work);
      } catch (RejectedExecutionException ended) {
        work.run();
      }
    }

    void end() {
      thread.shutdownNow();
    }
  }
}
