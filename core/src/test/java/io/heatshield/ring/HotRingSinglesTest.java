package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotRingSinglesTest {
  private static final int THREADS = 8;
  private static final int CALLS = 500;

  private final FakeTicker ticker = new FakeTicker();
  private final HotRing ring =
      HotRing.builder().ticker(ticker::nanos).bits(4).singles(1 << 12).build();
  private final HotRing few =
      HotRing.builder().ticker(ticker::nanos).bits(4).singles(1 << 12, 3).build();

  @Test
  void touch_once_countsWithoutAPlaceAndIsNotListed() {
    long count = ring.touch("k");

    assertThat(count).isEqualTo(1);
    assertThat(ring.count("k")).isEqualTo(1);
    assertThat(ring.table.places.taken()).isZero();
    assertThat(ring.top().keys()).isEmpty();
    assertThat(ring.stats().entries()).isEqualTo(1);
  }

  @Test
  void touch_theSecondTimeInALaterSlot_letsTheFirstLapseWhenItsSlotDoes() {
    ring.touch("k");
    ticker.advance(Duration.ofSeconds(1));
    long both = ring.touch("k");

    ticker.advance(Duration.ofSeconds(1));

    assertThat(both).isEqualTo(2);
    assertThat(ring.count("k")).isEqualTo(1);
    assertThat(ring.top().keys()).hasSize(1);
  }

  @Test
  void touch_theSecondTimeAfterItsWindow_isTheFirstAgain() {
    ring.touch("k");
    ticker.advance(Duration.ofSeconds(2));

    long count = ring.touch("k");

    assertThat(count).isEqualTo(1);
    assertThat(ring.stats().touches()).isEqualTo(2);
    assertThat(ring.stats().expired()).isEqualTo(1);
  }

  @Test
  void touch_ofMoreKeysThanSingles_givesTheOthersPlaces() {
    for (int i = 0; i < 3 << 12; i++) {
      ring.touch("k" + i);
    }

    long once = 0;
    for (int i = 0; i < 3 << 12; i++) {
      once += ring.count("k" + i);
    }
    assertThat(once).isEqualTo(3 << 12);
    assertThat(ring.table.places.taken()).isBetween(2L << 12, (3L << 12) - 1);
    assertThat(ring.bytes() - ring.table.places.bytes()).isEqualTo(16L << 12);
  }

  @Test
  void clamp_withALimitOfOne_limitsTheSecond() {
    ring.touch("touched");

    assertThat(ring.clamp("k", 1).limited()).isFalse();
    assertThat(ring.clamp("k", 1).limited()).isTrue();
    assertThat(ring.clamp("touched", 1).limited()).isTrue();
  }

  @Test
  void touch_threeTimesInThreeSlots_needsNoPlaceAndEachLapsesWithItsSlot() {
    for (int i = 0; i < 3; i++) {
      assertThat(few.touch("k")).isEqualTo(i + 1);
      ticker.advance(Duration.ofMillis(500));
    }
    long all = few.count("k");
    ticker.advance(Duration.ofMillis(500));
    long two = few.count("k");
    ticker.advance(Duration.ofMillis(500));

    assertThat(all).isEqualTo(3);
    assertThat(two).isEqualTo(2);
    assertThat(few.count("k")).isEqualTo(1);
    assertThat(few.table.places.taken()).isZero();
    assertThat(few.stats().touches()).isEqualTo(3);
    assertThat(few.stats().entries()).isEqualTo(1);
  }

  @Test
  void touch_theFourthTime_takesAPlaceAndKeepsEachSlot() {
    for (int i = 0; i < 3; i++) {
      few.touch("k");
      ticker.advance(Duration.ofMillis(500));
    }

    long fourth = few.touch("k");
    ticker.advance(Duration.ofMillis(500));
    long three = few.count("k");
    ticker.advance(Duration.ofMillis(500));

    assertThat(fourth).isEqualTo(4);
    assertThat(few.table.places.taken()).isEqualTo(1);
    assertThat(three).isEqualTo(3);
    assertThat(few.count("k")).isEqualTo(2);
    assertThat(few.stats().touches()).isEqualTo(4);
  }

  @Test
  void clamp_withALimitThatANoteWouldReach_limitsTheNext() {
    assertThat(few.clamp("k", 3).limited()).isFalse();
    assertThat(few.clamp("k", 3).limited()).isFalse();
    assertThat(few.clamp("k", 3).limited()).isFalse();
    assertThat(few.clamp("k", 3).limited()).isTrue();
    assertThat(few.clamp("k", 1).limited()).isTrue();
  }

  @RepeatedTest(10)
  void touch_upToFiveTimesByEightThreads_losesNone() throws Exception {
    var calls = new AtomicLong();

    onThreads(thread -> few.touch("k" + calls.getAndIncrement() / 5));

    long counted = 0;
    for (int i = 0; i <= THREADS * CALLS / 5; i++) {
      counted += few.count("k" + i);
    }
    assertThat(counted).isEqualTo(THREADS * CALLS);
    assertThat(few.stats().touches()).isEqualTo(THREADS * CALLS);
    assertThat(few.stats().inserts()).isEqualTo(few.stats().entries());
  }

  @RepeatedTest(10)
  void touch_ofNewKeysByEightThreads_losesNone() throws Exception {
    var calls = new AtomicLong();

    onThreads(thread -> ring.touch("k" + calls.getAndIncrement() / 3));

    long counted = 0;
    for (int i = 0; i <= THREADS * CALLS / 3; i++) {
      counted += ring.count("k" + i);
    }
    assertThat(counted).isEqualTo(THREADS * CALLS);
    assertThat(ring.stats().touches()).isEqualTo(THREADS * CALLS);
    assertThat(ring.stats().inserts()).isEqualTo(ring.stats().entries());
  }

  @RepeatedTest(20)
  void touch_againstRemove_isBeforeOrAfterIt() throws Exception {
    var removed = new AtomicLong();

    onThreads(
        thread -> {
          if (thread < 3) {
            removed.addAndGet(ring.remove("shared"));
          } else {
            ring.touch("shared");
          }
        });

    assertThat(removed.get() + ring.count("shared")).isEqualTo((THREADS - 3) * CALLS);
    assertThat(ring.stats().touches()).isEqualTo((THREADS - 3) * CALLS);
  }

  @RepeatedTest(20)
  void clamp_byEightThreads_admitsExactlyN() throws Exception {
    var admitted = new AtomicLong();
    var calls = new AtomicLong();

    onThreads(
        thread -> {
          if (!ring.clamp("k" + calls.getAndIncrement() / 40, 2).limited()) {
            admitted.incrementAndGet();
          }
        });

    assertThat(admitted).hasValue(2 * THREADS * CALLS / 40);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 1, 2, 3, 1, 2, 3})
  void touch_whileSlotsAndGenerationsTurn_losesNone(int touches) throws Exception {
    HotRing turning =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(4, Duration.ofMillis(1))
            .rotation(Duration.ofMillis(7))
            .singles(1 << 10, touches)
            .build();
    var calls = new AtomicLong();

    onThreads(
        thread -> {
          long call = calls.incrementAndGet();
          if (call % 50 == 0) {
            ticker.advanceNanos(300_000);
          }
          turning.touch("k" + call / 4);
          turning.touch("other" + thread);
        });

    RingStats stats = turning.stats();
    assertThat(stats.touches()).isEqualTo(2 * THREADS * CALLS);
    assertThat(stats.inserts()).isEqualTo(stats.entries() + stats.expired());
    ticker.advance(Duration.ofMillis(5));
    assertThat(turning.stats().entries()).isZero();
    assertThat(turning.table.places.taken()).isZero();
  }

  private static void onThreads(IntConsumer call) throws Exception {
    var barrier = new CyclicBarrier(THREADS);
    var pool = Executors.newFixedThreadPool(THREADS);
    try {
      var done = new ArrayList<Future<?>>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        Callable<Integer> task =
            () -> {
              int turn = barrier.await();
              for (int i = 0; i < CALLS; i++) {
                call.accept(thread);
              }
              return turn;
            };
        done.add(pool.submit(task));
      }
      for (Future<?> future : done) {
        future.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
