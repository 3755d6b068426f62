package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.limit.Algorithm;
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
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.base(base);
    CompletableFuture<Long> first = desk.ask(0);

    List<CompletableFuture<Long>> result = hits.stream().map(desk::ask).toList();
    desk.pass(CoalescerHarness.WINDOW);
    desk.landAll();

    assertThat(first).isCompletedWithValue(base);
    assertThat(result.stream().map(CompletableFuture::join)).isEqualTo(counts);
    assertThat(desk.batches).containsExactly(1, hits.size());
  }

  @Test
  void add_acrossTheEndOfAWindow_isCountedInEachCallersWindow() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);

    CompletableFuture<Long> old = desk.ask("k", 2, CoalescerHarness.NOW + 999);
    CompletableFuture<Long> fresh = desk.ask("k", 4, CoalescerHarness.NOW + 1000);
    CompletableFuture<Long> late = desk.ask("k", 8, CoalescerHarness.NOW + 999);
    desk.pass(CoalescerHarness.WINDOW);
    desk.landAll();

    assertThat(old).isCompletedWithValue(3L);
    assertThat(fresh).isCompletedWithValue(4L);
    assertThat(late).isCompletedWithValue(11L);
  }

  @Test
  void add_inTheNextWindow_isNotColdAgain() {
    var desk = new CoalescerHarness(Mode.ENFORCE, 3, 10, 8);
    IntStream.range(0, 3).forEach(i -> desk.ask(1));
    desk.landAll();
    desk.pass(CoalescerHarness.WINDOW);

    IntStream.range(0, 3).forEach(i -> desk.ask("k", 1, CoalescerHarness.NOW + 5000));
    desk.pass(CoalescerHarness.WINDOW);

    assertThat(desk.sums()).containsExactly(1L, 2L);
  }

  @Test
  void add_coldKeys_takeTheDirectPath() {
    var desk = new CoalescerHarness(Mode.ENFORCE, 3, 10, 8);

    desk.ask(1);
    desk.ask(1);
    desk.ask("l", 1, CoalescerHarness.NOW);

    assertThat(desk.sums()).containsExactly(1L, 1L, 1L);
    assertThat(desk.batches).isEmpty();
    assertThat(desk.asked).allMatch(asked -> asked.slot() == 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"SLIDING_WINDOW", "GCRA"})
  void add_otherAlgorithms_bypassTheCoalescer(Algorithm algorithm) {
    CoalescerHarness desk = CoalescerHarness.hot();
    var limit = new Limit(100, LimitUnit.SECOND, algorithm);

    IntStream.range(0, 3)
        .forEach(i -> desk.ask(CoalescerHarness.key("k"), limit, 1, CoalescerHarness.NOW));

    assertThat(desk.sums()).containsExactly(1L, 1L, 1L);
    assertThat(desk.coalescer.stats().hotKeys()).isZero();
  }

  @Test
  void add_whenOff_neitherCoalescesNorCounts() {
    var desk = new CoalescerHarness(Mode.OFF, 1, 10, 8);

    IntStream.range(0, 3).forEach(i -> desk.ask(1));

    assertThat(desk.sums()).containsExactly(1L, 1L, 1L);
    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(0, 0, 0, 0, 0));
    assertThat(desk.action.snapshot().wouldHaveApplied()).isZero();
  }

  @Test
  void add_whenObserving_answersAsOffAndCountsWhatEnforceSaves() {
    var off = new CoalescerHarness(Mode.OFF, 1, 10, 100);
    var observing = new CoalescerHarness(Mode.OBSERVE, 1, 10, 100);
    var enforcing = new CoalescerHarness(Mode.ENFORCE, 1, 10, 100);

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

  /**
   * Calls at irregular times with a timer that is never late and a backend that answers at once,
   * and returns the counts in order.
   */
  private static List<Long> stream(CoalescerHarness desk) {
    var result = new ArrayList<CompletableFuture<Long>>();
    for (int i = 0; i < 500; i++) {
      result.add(desk.ask(1 + i % 3));
      desk.landAll();
      for (int micros = i * 79 % 150; micros > 0; micros--) {
        desk.pass(SHORT);
        desk.landAll();
      }
    }
    desk.pass(CoalescerHarness.WINDOW);
    desk.landAll();
    return result.stream().map(CompletableFuture::join).toList();
  }
}
