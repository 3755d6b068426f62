package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * For any sequence of events: exact ranks, at most two batches in flight, one answer per caller.
 */
class BatcherPropertyTest {
  private static final int BATCH_SLOT = 0; // The slot that batches use.

  @Property(tries = 500)
  void add_anyOrderOfEvents_givesEachCallerItsOwnInterval(
      @ForAll("events") List<Integer> events, @ForAll @IntRange(min = 1, max = 8) int batch) {
    CoalescerHarness desk = CoalescerHarness.hot(batch);
    var model = new Model(desk);

    for (int event : events) {
      model.step(event);
    }
    model.end();

    model.check();
  }

  @Property(tries = 500)
  void add_onALoopThatForgets_givesEachCallerItsOwnInterval(
      @ForAll("events") List<Integer> events, @ForAll @IntRange(min = 1, max = 8) int batch) {
    CoalescerHarness desk = CoalescerHarness.hot(batch);
    var loop = new ManualLoop();
    var model = new Model(desk);

    for (int event : events) {
      desk.loop = event % 13 == 0 ? null : loop;
      model.step(event);
      turn(loop, event);
    }
    loop.drop();
    desk.pass(Duration.ofNanos(Batcher.LOOP_TIMEOUT_NANOS));
    model.end();

    model.check();
  }

  private static void turn(ManualLoop loop, int event) {
    if (event % 5 == 0) {
      loop.turn();
    } else if (event % 7 == 0) {
      loop.ring();
    } else if (event == 97) {
      loop.drop();
    }
  }

  @Provide
  Arbitrary<List<Integer>> events() {
    return Arbitraries.integers().between(0, 99).list().ofMinSize(1).ofMaxSize(200);
  }

  /** The answers of callers, compared with the stored count. */
  private static final class Model {
    private final CoalescerHarness desk;
    private final List<Ask> asks = new ArrayList<>();
    private long millis = CoalescerHarness.NOW;

    Model(CoalescerHarness desk) {
      this.desk = desk;
    }

    void step(int event) {
      if (event < 60) {
        asks.add(new Ask(event % 4, millis, desk.ask("k", event % 4, millis)));
      } else if (event < 75 && !desk.asked.isEmpty()) {
        desk.land();
      } else if (event < 80 && !desk.asked.isEmpty()) {
        desk.fail();
      } else if (event < 97) {
        desk.pass(Duration.ofNanos(event % 17 * 20_000L));
      } else {
        millis += 400;
      }
      assertThat(desk.asked.stream().filter(asked -> asked.slot() == BATCH_SLOT))
          .hasSizeLessThanOrEqualTo(Batcher.MAX_IN_FLIGHT);
      checkPace();
      checkDeadlines();
    }

    void end() {
      for (int i = 0; i < asks.size() + 2; i++) {
        desk.pass(CoalescerHarness.WINDOW);
        desk.landAll();
      }
    }

    void check() {
      for (Ask ask : asks) {
        assertThat(ask.result).isDone();
      }
      for (int i = 0; i < asks.size(); i++) {
        for (int j = 0; j < i; j++) {
          assertThat(asks.get(i).overlaps(asks.get(j))).isFalse();
        }
      }
    }

    /** Checks that the time at which a batch is due never decreases. */
    private void checkDeadlines() {
      int last = desk.late.size() - 1;
      if (last > 0) {
        assertThat(desk.sentAt.get(last) - desk.late.get(last))
            .isGreaterThanOrEqualTo(desk.sentAt.get(last - 1) - desk.late.get(last - 1));
      }
    }

    /** Checks that at most two more batches are sent than windows pass, unless a second ends. */
    private void checkPace() {
      int last = desk.sentAt.size() - 1;
      for (int first = 0; first < last && millis == CoalescerHarness.NOW; first++) {
        assertThat(desk.sentAt.get(last) - desk.sentAt.get(first))
            .isGreaterThanOrEqualTo((last - first - 1) * CoalescerHarness.WINDOW.toNanos());
      }
    }
  }

  /** One call and its answer. */
  private record Ask(long hits, long millis, CompletableFuture<Long> result) {

    /** Returns whether both calls have a rank of the same window in common. */
    boolean overlaps(Ask other) {
      boolean counted =
          !result.isCompletedExceptionally() && !other.result.isCompletedExceptionally();
      return counted
          && millis / 1000 == other.millis / 1000
          && result.join() - hits < other.result.join()
          && other.result.join() - other.hits < result.join()
          && hits > 0
          && other.hits > 0;
    }
  }
}
