package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.BackendUnavailableException;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("FutureReturnValueIgnored") // Some callers only have to be there.
class CoalescingCountersTest {
  private static final Duration SHORT = Duration.ofNanos(1000);

  static Stream<Arguments> ranks() {
    return Stream.of(
        Arguments.of(100L, List.of(1L, 2L, 1L), List.of(101L, 103L, 104L)),
        Arguments.of(50L, List.of(2L, 3L, 1L), List.of(52L, 55L, 56L)),
        Arguments.of(0L, List.of(1L, 2L, 1L, 3L), List.of(1L, 3L, 4L, 7L)),
        Arguments.of(97L, List.of(1L, 1L, 1L, 1L), List.of(98L, 99L, 100L, 101L)),
        Arguments.of(9L, List.of(0L, 2L, 0L), List.of(9L, 11L, 11L)));
  }

  @ParameterizedTest
  @MethodSource("ranks")
  void add_gatheredCallers_getTheCountsTheyWouldHaveGotAlone(
      long base, List<Long> hits, List<Long> counts) {
    Desk desk = Desk.hot();
    desk.base(base);
    CompletableFuture<Long> first = desk.ask(0);

    List<CompletableFuture<Long>> told = hits.stream().map(desk::ask).toList();
    desk.pass(Desk.WINDOW);
    desk.landAll();

    assertThat(first).isCompletedWithValue(base);
    assertThat(told.stream().map(CompletableFuture::join)).isEqualTo(counts);
    assertThat(desk.departures).containsExactly(1, hits.size());
  }

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
  void add_whenTwoAreOutAndTheNextIsFull_goesByItself() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    IntStream.range(0, 8).forEach(i -> desk.ask(1));

    CompletableFuture<Long> direct = desk.ask(5);

    assertThat(desk.sums()).containsExactly(1L, 1L, 5L);
    assertThat(desk.coalescer.stats().overflows()).isEqualTo(1);
    desk.landAll();
    assertThat(direct).isDone();
  }

  @Test
  void add_overTheTurnOfAWindow_isCountedInEachCallersOwn() {
    Desk desk = Desk.hot();
    desk.ask(1);

    CompletableFuture<Long> old = desk.ask("k", 2, Desk.NOW + 999);
    CompletableFuture<Long> fresh = desk.ask("k", 4, Desk.NOW + 1000);
    CompletableFuture<Long> late = desk.ask("k", 8, Desk.NOW + 999);
    desk.pass(Desk.WINDOW);
    desk.landAll();

    assertThat(old).isCompletedWithValue(3L);
    assertThat(fresh).isCompletedWithValue(4L);
    assertThat(late).isCompletedWithValue(11L);
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
  void add_inTheNextWindow_isNotColdAgain() {
    var desk = new Desk(Mode.ENFORCE, 3, 10, 8);
    IntStream.range(0, 3).forEach(i -> desk.ask(1));
    desk.landAll();
    desk.pass(Desk.WINDOW);

    IntStream.range(0, 3).forEach(i -> desk.ask("k", 1, Desk.NOW + 5000));
    desk.pass(Desk.WINDOW);

    assertThat(desk.sums()).containsExactly(1L, 2L);
  }

  @Test
  void add_coldKeys_takeTheDirectPath() {
    var desk = new Desk(Mode.ENFORCE, 3, 10, 8);

    desk.ask(1);
    desk.ask(1);
    desk.ask("l", 1, Desk.NOW);

    assertThat(desk.sums()).containsExactly(1L, 1L, 1L);
    assertThat(desk.departures).isEmpty();
    assertThat(desk.asked).allMatch(asked -> asked.slot() == 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"SLIDING_WINDOW", "GCRA"})
  void add_otherAlgorithms_bypassIt(Algorithm algorithm) {
    Desk desk = Desk.hot();
    var limit = new Limit(100, LimitUnit.SECOND, algorithm);

    IntStream.range(0, 3).forEach(i -> desk.ask(Desk.key("k"), limit, 1, Desk.NOW));

    assertThat(desk.sums()).containsExactly(1L, 1L, 1L);
    assertThat(desk.coalescer.stats().hotKeys()).isZero();
  }

  @Test
  void add_whenAFlightFails_failsItsCallersAndNobodyElse() {
    Desk desk = Desk.hot();
    CompletableFuture<Long> before = desk.ask(1);
    List<CompletableFuture<Long>> lost = List.of(desk.ask(1), desk.ask(1));
    desk.pass(Desk.WINDOW);
    CompletableFuture<Long> after = desk.ask(1);
    desk.land();
    desk.pass(Desk.WINDOW);

    desk.fail();
    desk.landAll();

    assertThat(before).isCompletedWithValue(1L);
    assertThat(lost).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(after).isCompletedWithValue(2L);
  }

  @Test
  void add_whenTheLeaderThrows_failsItsCallersAndFreesTheKey() {
    Desk desk = Desk.hot();
    desk.thrown = new IllegalStateException("broken");
    CompletableFuture<Long> lost = desk.ask(1);
    desk.thrown = null;
    desk.pass(Desk.WINDOW);

    CompletableFuture<Long> next = desk.ask(1);
    desk.landAll();

    assertThat(lost)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(BackendUnavailableException.class);
    assertThat(next).isCompletedWithValue(1L);
  }

  @Test
  void add_whileCallsFailAtOnce_letsNobodyGather() {
    Desk desk = Desk.hot();
    desk.failing = true;

    List<CompletableFuture<Long>> told = List.of(desk.ask(1), desk.ask(1), desk.ask(1));

    assertThat(told).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void add_whenACallerThrows_theOthersAreToldAndTheNextFlightLeaves() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.land();
    CompletableFuture<Long> first = desk.ask(1);
    CompletableFuture<Long> thrower = desk.ask(1);
    CompletableFuture<Long> third = desk.ask(1);
    thrower.complete(-1L); // Being told again, it throws.
    desk.pass(Desk.WINDOW);

    assertThatThrownBy(desk::land).hasMessageContaining("told twice");
    desk.pass(Desk.WINDOW);
    desk.ask(1);

    assertThat(first).isCompletedWithValue(2L);
    assertThat(third).isCompletedWithValue(4L);
    assertThat(desk.sums()).containsExactly(1L);
  }

  @Test
  void add_cancelledCallers_areCountedOnce() {
    Desk desk = Desk.hot();
    desk.ask(1);
    CompletableFuture<Long> gone = desk.ask(1);
    CompletableFuture<Long> stays = desk.ask(1);

    gone.cancel(false);
    desk.pass(Desk.WINDOW);
    desk.landAll();

    assertThat(stays).isCompletedWithValue(3L);
    assertThat(desk.asked).isEmpty();
  }

  @Test
  void add_byACallerThatIsTold_neitherRecursesNorHangs() {
    Desk desk = Desk.hot();
    var rounds = new ArrayList<CompletableFuture<Long>>();

    askAgainWhenTold(desk, rounds, 2000);
    while (rounds.size() < 2000) {
      desk.pass(Desk.WINDOW);
      desk.landAll();
    }
    desk.pass(Desk.WINDOW);
    desk.landAll();

    assertThat(rounds).hasSize(2000).allMatch(CompletableFuture::isDone);
  }

  @Test
  void close_withCallersGathering_letsThemLeaveAndPassesTheRestOn() {
    Desk desk = Desk.hot();
    desk.ask(1);
    CompletableFuture<Long> gathering = desk.ask(1);

    desk.coalescer.close();
    CompletableFuture<Long> after = desk.ask(1);
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(2L);
    assertThat(after).isCompletedWithValue(3L);
    assertThat(desk.departures).containsExactly(1, 1);
  }

  @Test
  void close_withTwoOut_lettingThemLandTellsAll() {
    Desk desk = Desk.hot();
    desk.ask(1);
    desk.pass(Desk.WINDOW);
    desk.ask(1);
    CompletableFuture<Long> gathering = desk.ask(1);

    desk.coalescer.close();
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(3L);
  }

  @Test
  void add_whenOff_neitherCoalescesNorCounts() {
    var desk = new Desk(Mode.OFF, 1, 10, 8);

    IntStream.range(0, 3).forEach(i -> desk.ask(1));

    assertThat(desk.sums()).containsExactly(1L, 1L, 1L);
    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(0, 0, 0, 0, 0));
    assertThat(desk.action.snapshot().wouldHaveApplied()).isZero();
  }

  @Test
  void add_whenObserving_answersAsOffAndCountsWhatEnforceSaves() {
    var off = new Desk(Mode.OFF, 1, 10, 100);
    var observing = new Desk(Mode.OBSERVE, 1, 10, 100);
    var enforcing = new Desk(Mode.ENFORCE, 1, 10, 100);

    List<Long> counts = stream(off);

    assertThat(stream(observing)).isEqualTo(counts);
    assertThat(stream(enforcing)).isEqualTo(counts);
    assertThat(observing.action.snapshot().saved()).isZero();
    assertThat(observing.action.snapshot().wouldHaveSaved())
        .isEqualTo(enforcing.action.snapshot().saved())
        .isPositive();
    assertThat(observing.action.snapshot().wouldHaveApplied())
        .isEqualTo(enforcing.action.snapshot().applied());
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

  /**
   * Asks at odd times with a timer that is never late, lets answers come at once, and returns the
   * counts in order.
   */
  private static List<Long> stream(Desk desk) {
    var told = new ArrayList<CompletableFuture<Long>>();
    for (int i = 0; i < 500; i++) {
      told.add(desk.ask(1 + i % 3));
      desk.landAll();
      for (int micros = i * 79 % 150; micros > 0; micros--) {
        desk.pass(SHORT);
        desk.landAll();
      }
    }
    desk.pass(Desk.WINDOW);
    desk.landAll();
    return told.stream().map(CompletableFuture::join).toList();
  }

  private static void askAgainWhenTold(Desk desk, List<CompletableFuture<Long>> rounds, int most) {
    CompletableFuture<Long> told = desk.ask(1);
    rounds.add(told);
    if (rounds.size() < most) {
      told.thenRun(() -> askAgainWhenTold(desk, rounds, most));
    }
  }
}
