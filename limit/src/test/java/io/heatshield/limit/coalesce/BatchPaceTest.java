package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The times at which batches are sent: the flush window, full batches, at most two in flight. */
@SuppressWarnings("FutureReturnValueIgnored") // Some callers only have to be there.
class BatchPaceTest {
  private static final Duration SHORT = Duration.ofNanos(1000);

  @Test
  void add_afterAnIdleWindow_isSentAtOnce() {
    CoalescerHarness desk = CoalescerHarness.hot();

    for (int i = 0; i < 3; i++) {
      desk.ask(1);
      desk.landAll();
      desk.pass(CoalescerHarness.WINDOW);
    }

    assertThat(desk.batches).containsExactly(1, 1, 1);
    assertThat(desk.waits).containsExactly(0L, 0L, 0L);
  }

  @Test
  void add_withinTheWindow_isSentAtItsEnd() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.land();

    desk.pass(SHORT);
    desk.ask(1);
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW.minus(SHORT).minusNanos(1));
    assertThat(desk.asked).isEmpty();
    desk.pass(Duration.ofNanos(1));

    assertThat(desk.sums()).containsExactly(2L);
  }

  @Test
  void add_afterTheWindow_sendsThePendingBatchEvenIfTheTimerIsLate() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.ask(1);
    desk.ticker.advance(CoalescerHarness.WINDOW.multipliedBy(3));

    desk.ask(1);

    assertThat(desk.sums()).containsExactly(1L, 2L);
    desk.landAll();
    assertThat(desk.waits).containsExactly(0L, 3 * CoalescerHarness.WINDOW.toNanos(), 0L);
  }

  @Test
  void add_aFullBatch_isSentBeforeTheWindowEnds() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);

    IntStream.range(0, 8).forEach(i -> desk.ask(1));

    assertThat(desk.sums()).containsExactly(1L, 8L);
  }

  @Test
  void add_fullBatchesInARow_sendOneCallPerWindow() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    IntStream.range(0, 8).forEach(i -> desk.ask(1));
    desk.landAll();

    IntStream.range(0, 100).forEach(i -> desk.ask(1));
    assertThat(desk.asked).isEmpty();
    desk.pass(CoalescerHarness.WINDOW);

    assertThat(desk.batches).containsExactly(1, 8, 100);
    assertThat(desk.coalescer.stats().overflows()).isZero();
  }

  @Test
  void add_aFullBatchAfterAnUnusedWindow_isSentEarlyAgain() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    IntStream.range(0, 8).forEach(i -> desk.ask(1));
    desk.landAll();
    desk.pass(CoalescerHarness.WINDOW.multipliedBy(2));
    desk.ask(1);

    IntStream.range(0, 8).forEach(i -> desk.ask(1));

    assertThat(desk.batches).containsExactly(1, 8, 1, 8);
  }

  @Test
  void add_whileTwoAreInFlight_subtractsTheExtraWaitFromTheTimeBudget() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);
    desk.ask(1);

    desk.pass(CoalescerHarness.WINDOW.multipliedBy(5));
    desk.land();

    assertThat(desk.asked).hasSize(2);
    assertThat(desk.late).containsExactly(0L, 0L, 4 * CoalescerHarness.WINDOW.toNanos());
  }

  @Test
  void add_afterTheEndOfTheWindow_countsOnlyItsOwnWait() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW.multipliedBy(5));
    desk.ask(1);

    desk.pass(SHORT);
    desk.land();

    assertThat(desk.late).containsExactly(0L, 0L, SHORT.toNanos());
  }

  @Test
  void add_whileTwoAreInFlight_waitsUntilOneCompletes() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);

    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);
    assertThat(desk.asked).hasSize(2);
    desk.land();

    assertThat(desk.sums()).containsExactly(1L, 2L);
  }

  @Test
  void add_whenTwoAreInFlightAndTheMaximumIsPending_isSentAlone() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);
    IntStream.range(0, 8 * Batcher.MAX_PENDING_BATCHES).forEach(i -> desk.ask(1));
    assertThat(desk.asked).hasSize(2);

    CompletableFuture<Long> direct = desk.ask(5);

    assertThat(desk.sums()).containsExactly(1L, 1L, 5L);
    assertThat(desk.coalescer.stats().overflows()).isEqualTo(1);
    desk.landAll();
    assertThat(direct).isDone();
  }

  @Test
  void add_acrossTheEndOfAWindow_keepsTwoInFlight() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.ask("k", 1, CoalescerHarness.NOW + 999);
    desk.ask("k", 1, CoalescerHarness.NOW + 1000);

    desk.pass(CoalescerHarness.WINDOW);
    assertThat(desk.asked).hasSize(2);
    desk.land();

    assertThat(desk.asked).hasSize(2);
    assertThat(desk.asked.get(0).window()).isLessThan(desk.asked.get(1).window());
  }

  @Test
  void retune_anotherWindow_appliesFromTheNextCall() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);

    desk.coalescer.retune(
        new CoalesceSettings(64 << 10, 4, 1, 10, Duration.ZERO, 8, Duration.ofSeconds(10)));
    desk.ask(1);

    assertThat(desk.sums()).containsExactly(1L, 1L);
  }
}
