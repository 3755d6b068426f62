package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class HotRingThreadsTest {
  private static final int THREADS = 8;
  private static final int CALLS = 500;

  private final FakeTicker ticker = new FakeTicker();
  private final HotRing ring = HotRing.builder().ticker(ticker::nanos).bits(2).build();

  @RepeatedTest(20)
  void touch_oneNewKeyByEightThreads_losesNone() throws Exception {
    onThreads(thread -> ring.touch("shared"));

    assertThat(ring.count("shared")).isEqualTo(THREADS * CALLS);
    assertThat(ring.stats().inserts()).isEqualTo(1);
  }

  @Test
  void touch_manyNewKeysByEightThreads_losesNone() throws Exception {
    var calls = new AtomicLong();

    onThreads(thread -> ring.touch("k" + calls.getAndIncrement() / THREADS));

    assertThat(ring.keysAbove(THREADS)).hasSize(CALLS);
    assertThat(ring.stats().size()).isEqualTo(CALLS);
    assertThat(ring.stats().touches()).isEqualTo(THREADS * CALLS);
  }

  @RepeatedTest(20)
  void touch_racingRemove_isCountedBeforeOrAfterIt() throws Exception {
    var removed = new AtomicLong();

    onThreads(
        thread -> {
          if (thread == 0) {
            removed.addAndGet(ring.remove("shared"));
          } else {
            ring.touch("shared");
          }
        });

    assertThat(removed.get() + ring.count("shared")).isEqualTo((THREADS - 1) * CALLS);
  }

  @RepeatedTest(20)
  void tryTouch_byEightThreads_admitsExactlyN() throws Exception {
    var admitted = new AtomicLong();

    onThreads(
        thread -> {
          if (ring.tryTouch("shared", 1_000).admitted()) {
            admitted.incrementAndGet();
          }
        });

    assertThat(admitted).hasValue(1_000);
    assertThat(ring.count("shared")).isEqualTo(1_000);
  }

  @RepeatedTest(10)
  void touch_whileSlotsAndGenerationsEnd_losesNone() throws Exception {
    HotRing timed =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(4, Duration.ofMillis(1))
            .rotation(Duration.ofMillis(7))
            .build();
    var calls = new AtomicLong();

    onThreads(
        thread -> {
          if (calls.incrementAndGet() % 5 == 0) {
            ticker.advanceNanos(300_000);
          }
          timed.touch("shared");
          timed.touch("other" + thread);
        });

    assertThat(timed.stats().touches()).isEqualTo(2 * THREADS * CALLS);
    assertThat(timed.stats().rotations()).isPositive();
  }

  @RepeatedTest(10)
  void tryTouch_whileSlotsEnd_neverCountsMoreThanN() throws Exception {
    HotRing timed = HotRing.builder().ticker(ticker::nanos).window(4, Duration.ofMillis(1)).build();
    var calls = new AtomicLong();
    var highest = new AtomicLong();

    onThreads(
        thread -> {
          if (calls.incrementAndGet() % 50 == 0) {
            ticker.advanceNanos(500_000);
          }
          var unused = timed.tryTouch("shared", 10);
          highest.accumulateAndGet(timed.count("shared"), Math::max);
        });

    assertThat(highest).hasValue(10);
    assertThat(timed.stats().touches()).isGreaterThan(10);
  }

  @Test
  void touch_moreKeysThanTheCapByEightThreads_neverExceedsTheCap() throws Exception {
    HotRing small =
        HotRing.builder().ticker(ticker::nanos).bits(4).maxKeys(50).sampleBits(1).build();
    var calls = new AtomicLong();

    onThreads(thread -> small.touch("key-" + calls.incrementAndGet() / 3));

    RingStats stats = small.stats();
    assertThat(stats.size()).isBetween(1L, 50L);
    assertThat(stats.bytes())
        .isEqualTo(small.keysAbove(1).stream().mapToLong(k -> small.entryBytes(k.length())).sum());
    assertThat(stats.touches() + stats.drops()).isEqualTo(THREADS * CALLS);
    assertThat(stats.inserts())
        .isEqualTo(stats.size() + stats.evicted() + stats.expired() + stats.removes());
  }

  @Test
  void keysAbove_whileOthersTouch_listsEveryKeyOnce() throws Exception {
    for (int i = 0; i < 200; i++) {
      ring.touch("k" + i);
    }
    var incomplete = new AtomicBoolean();

    onThreads(
        thread -> {
          if (thread == 0) {
            var keys = ring.keysAbove(1);
            incomplete.compareAndSet(
                false, keys.stream().filter(k -> k.length() <= 4).count() != 200);
          } else {
            ring.touch("k" + thread);
            ring.touch("grow-" + thread + "-" + ring.count("k" + thread));
          }
        });

    assertThat(incomplete).isFalse();
  }

  private static void onThreads(IntConsumer call) throws Exception {
    var barrier = new CyclicBarrier(THREADS);
    var pool = Executors.newFixedThreadPool(THREADS);
    try {
      var futures = new ArrayList<Future<?>>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        Callable<Integer> task =
            () -> {
              int arrival = barrier.await();
              for (int i = 0; i < CALLS; i++) {
                call.accept(thread);
              }
              return arrival;
            };
        futures.add(pool.submit(task));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
