package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When flights leave: the window, the batch, two out at most. */
@SuppressWarnings("FutureReturnValueIgnored") // Some callers only have to be there.
class FlightPaceTest {
  private static final Duration SHORT = Duration.ofNanos(1000);

  @Test
  void add_aQuietKey_leavesAtOnce() {
    Desk desk = Desk.hot();

    for (int i = 0; i < 3; i++) {
      desk.ask(1);
      desk.landAll();
      desk.pass(Desk.WINDOW);
    }

    assertThat(desk.departures).containsExactly(1, 1, 1);
    assertThat(desk.waits).containsExactly(0L, 0L, 0L);
  }

  @Test
  void add_withinTheWindow_leavesWhenItEndsAndNotBefore() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.land();

    desk.pass(SHORT);
    desk.ask(1);
    desk.ask(1);
    desk.pass(Desk.WINDOW.minus(SHORT).minusNanos(1));
    assertThat(desk.asked).isEmpty();
    desk.pass(Duration.ofNanos(1));

    assertThat(desk.sums()).containsExactly(2L);
  }

  @Test
  void add_afterTheWindow_leavesWithThoseThatGatherAlthoughTheTimerIsLate() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.ask(1);
    desk.ticker.advance(Desk.WINDOW.multipliedBy(3));

    desk.ask(1);

    assertThat(desk.sums()).containsExactly(1L, 2L);
    desk.landAll();
    assertThat(desk.waits).containsExactly(0L, 0L, 3 * Desk.WINDOW.toNanos());
  }

  @Test
  void add_aFullBatch_leavesBeforeTheWindowEnds() {
    Desk desk = Desk.hot();
    desk.ask(1);

    IntStream.range(0, 8).forEach(i -> desk.ask(1));

    assertThat(desk.sums()).containsExactly(1L, 8L);
  }

  @Test
  void add_fullBatchesOneAfterAnother_keepToOneCallForEachWindow() {
    Desk desk = Desk.hot();
    desk.ask(1);
    IntStream.range(0, 8).forEach(i -> desk.ask(1));
    desk.landAll();

    IntStream.range(0, 100).forEach(i -> desk.ask(1));
    assertThat(desk.asked).isEmpty();
    desk.pass(Desk.WINDOW);

    assertThat(desk.departures).containsExactly(1, 8, 100);
    assertThat(desk.coalescer.stats().overflows()).isZero();
  }

  @Test
  void add_aFullBatchAfterAnUnusedWindow_leavesEarlyAgain() {
    Desk desk = Desk.hot();
    desk.ask(1);
    IntStream.range(0, 8).forEach(i -> desk.ask(1));
    desk.landAll();
    desk.pass(Desk.WINDOW.multipliedBy(2));
    desk.ask(1);

    IntStream.range(0, 8).forEach(i -> desk.ask(1));

    assertThat(desk.departures).containsExactly(1, 8, 1, 8);
  }

  @Test
  void add_whileTwoAreOut_takesTheWaitPastTheWindowOffTheTimeForAnAnswer() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    desk.ask(1);

    desk.pass(Desk.WINDOW.multipliedBy(5));
    desk.land();

    assertThat(desk.asked).hasSize(2);
    assertThat(desk.late).containsExactly(0L, 0L, 4 * Desk.WINDOW.toNanos());
  }

  @Test
  void add_byACallerThatCameAfterTheWindow_countsItsOwnWaitOnly() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    desk.pass(Desk.WINDOW.multipliedBy(5));
    desk.ask(1);

    desk.pass(SHORT);
    desk.land();

    assertThat(desk.late).containsExactly(0L, 0L, SHORT.toNanos());
  }

  @Test
  void add_whileTwoAreOut_gathersUntilOneLands() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    desk.pass(Desk.WINDOW);

    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    assertThat(desk.asked).hasSize(2);
    desk.land();

    assertThat(desk.sums()).containsExactly(1L, 2L);
  }

  @Test
  void add_whenTwoAreOutAndAsManyGatherAsMay_goesByItself() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    IntStream.range(0, 8 * Flights.MOST_BATCHES).forEach(i -> desk.ask(1));
    assertThat(desk.asked).hasSize(2);

    CompletableFuture<Long> direct = desk.ask(5);

    assertThat(desk.sums()).containsExactly(1L, 1L, 5L);
    assertThat(desk.coalescer.stats().overflows()).isEqualTo(1);
    desk.landAll();
    assertThat(direct).isDone();
  }

  @Test
  void add_overTheTurnOfAWindow_keepsToTwoOut() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.ask("k", 1, Desk.NOW + 999);
    desk.ask("k", 1, Desk.NOW + 1000);

    desk.pass(Desk.WINDOW);
    assertThat(desk.asked).hasSize(2);
    desk.land();

    assertThat(desk.asked).hasSize(2);
    assertThat(desk.asked.get(0).window()).isLessThan(desk.asked.get(1).window());
  }

  @Test
  void retune_anotherWindow_holdsFromTheNextCall() {
    Desk desk = Desk.hot();
    desk.ask(1);

    desk.coalescer.retune(
        new CoalesceSettings(64 << 10, 4, 1, 10, Duration.ZERO, 8, Duration.ofSeconds(10)));
    desk.ask(1);

    assertThat(desk.sums()).containsExactly(1L, 1L);
  }
}
