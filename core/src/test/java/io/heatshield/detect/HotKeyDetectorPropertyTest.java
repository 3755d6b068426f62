package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class HotKeyDetectorPropertyTest {
  private static final long WINDOW = Duration.ofSeconds(4).toNanos();
  private static final int WORKERS = 8;
  private static final List<ExecutorService> WORKER = new ArrayList<>();

  /** Touches of a key by a thread after a gap; a change of settings if the key is negative. */
  record Burst(int key, int times, long weight, long gapNanos, int thread) {}

  @BeforeContainer
  static void startWorkers() {
    IntStream.range(0, WORKERS)
        .forEach(i -> WORKER.add(Executors.newSingleThreadExecutor(run -> daemon(run))));
  }

  @AfterContainer
  static void stopWorkers() {
    WORKER.forEach(ExecutorService::shutdownNow);
  }

  @Property(tries = 300)
  void touch_anyAlignment_isHotAtTheThresholdAndOverReportedByAtMostAPane(
      @ForAll("bursts") List<Burst> bursts, @ForAll @IntRange(min = 1, max = 6) int panes) {
    var world = new World(settings(panes, 1, 1 << 14));

    for (Burst burst : bursts) {
      world.ticker.advanceNanos(burst.gapNanos());
      for (int i = 0; i < burst.times(); i++) {
        Verdict verdict = world.touch(burst);

        long count = world.count(burst.key(), WINDOW);
        long pane = (WINDOW + panes - 1) / panes;
        if (count >= 40) {
          assertThat(verdict).isNotSameAs(Verdict.COOL);
          assertThat(verdict.kind()).isEqualTo(Verdict.Kind.HOT);
        }
        long estimate = world.detector.estimate(World.key(burst.key())).touches();
        assertThat(estimate).isBetween(count, world.count(burst.key(), WINDOW + pane + panes));
      }
    }
  }

  @Property(tries = 150)
  void touch_alternatingThreads_isHotAtTheThresholdWithAnyStripes(
      @ForAll("bursts") List<Burst> bursts) throws Exception {
    var world = new World(settings(4, 4, 1 << 10));

    for (Burst burst : bursts) {
      world.ticker.advanceNanos(burst.gapNanos());
      for (int i = 0; i < Math.min(12, burst.times()); i++) {
        Verdict verdict = onThread(burst.thread(), world, burst);

        if (world.count(burst.key(), WINDOW) >= 40) {
          assertThat(verdict).isNotSameAs(Verdict.COOL);
        }
      }
    }
  }

  @Property(tries = 100)
  void touch_inACrowdedSketch_isNeverEstimatedBelowTheCount(@ForAll("bursts") List<Burst> bursts) {
    var world = new World(settings(4, 1, 64));
    for (int i = 0; i < 500; i++) {
      world.detector.touch("junk:" + i);
    }

    for (Burst burst : bursts) {
      world.ticker.advanceNanos(burst.gapNanos());
      for (int i = 0; i < burst.times(); i++) {
        Verdict verdict = world.touch(burst);

        long count = world.count(burst.key(), WINDOW);
        assertThat(world.detector.estimate(World.key(burst.key())).touches())
            .isGreaterThanOrEqualTo(count);
        if (count >= 40) {
          assertThat(verdict).isNotSameAs(Verdict.COOL);
        }
      }
    }
  }

  @Property(tries = 150)
  void reconfigure_atAnyTime_appliesToIntervalsThatBeginAfterIt(
      @ForAll("bursts") List<Burst> before,
      @ForAll("bursts") List<Burst> after,
      @ForAll @IntRange(min = 1, max = 9) int seconds,
      @ForAll @IntRange(min = 3, max = 20) int threshold) {
    var world = new World(settings(4, 1, 1 << 10));
    before.forEach(world::all);

    world.detector.reconfigure(Duration.ofSeconds(seconds), threshold);
    world.forget();

    for (Burst burst : after) {
      world.ticker.advanceNanos(burst.gapNanos());
      for (int i = 0; i < burst.times(); i++) {
        Verdict verdict = world.touch(burst);
        long count = world.count(burst.key(), Duration.ofSeconds(seconds).toNanos());
        if (count >= (long) threshold * seconds) {
          assertThat(verdict).isNotSameAs(Verdict.COOL);
        }
      }
    }
  }

  @Provide
  Arbitrary<List<Burst>> bursts() {
    Arbitrary<Integer> key = Arbitraries.of(0, 0, 0, 1, 2);
    Arbitrary<Integer> times = Arbitraries.integers().between(1, 25);
    Arbitrary<Long> weight = Arbitraries.of(1L, 1L, 1L, 3L, 39L, 40L);
    Arbitrary<Long> gap =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, WINDOW / 3),
            Arbitraries.of(0L, 1L, WINDOW / 4 - 1, WINDOW / 4, WINDOW, WINDOW + 1, 9 * WINDOW));
    Arbitrary<Integer> thread = Arbitraries.integers().between(0, WORKERS - 1);
    return Combinators.combine(key, times, weight, gap, thread)
        .as(Burst::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(14);
  }

  private static Thread daemon(Runnable run) {
    var thread = new Thread(run);
    thread.setDaemon(true);
    return thread;
  }

  private static Verdict onThread(int thread, World world, Burst burst)
      throws InterruptedException, ExecutionException {
    return WORKER.get(thread).submit(() -> world.touch(burst)).get();
  }

  private static HotKeyDetectorBuilder settings(int panes, int stripes, int width) {
    return HotKeyDetector.builder()
        .window(Duration.ofNanos(WINDOW))
        .threshold(10)
        .panes(panes)
        .stripes(stripes)
        .width(width);
  }

  /** A detector with its ticker and all its touches. */
  private static final class World {
    final FakeTicker ticker = new FakeTicker();
    final HotKeyDetector detector;
    private final List<Burst> touches = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();

    World(HotKeyDetectorBuilder builder) {
      detector = builder.secret(HashSecret.of(new byte[32])).ticker(ticker::nanos).build();
    }

    static byte[] key(int key) {
      return new byte[] {'k', (byte) key};
    }

    Verdict touch(Burst burst) {
      touches.add(burst);
      times.add(ticker.nanos());
      return detector.touch(key(burst.key()), burst.weight());
    }

    void all(Burst burst) {
      ticker.advanceNanos(burst.gapNanos());
      for (int i = 0; i < burst.times(); i++) {
        touch(burst);
      }
    }

    void forget() {
      touches.clear();
      times.clear();
    }

    /** Returns the weight of a key's touches in an interval that ends now. */
    long count(int key, long length) {
      long sum = 0;
      for (int i = 0; i < touches.size(); i++) {
        if (touches.get(i).key() == key && ticker.nanos() - times.get(i) <= length) {
          sum += touches.get(i).weight();
        }
      }
      return sum;
    }
  }
}
