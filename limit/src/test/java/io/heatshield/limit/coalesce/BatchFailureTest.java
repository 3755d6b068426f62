package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The outcome for callers when a batch fails, when they cancel, and when the coalescer closes. */
@SuppressWarnings("FutureReturnValueIgnored") // Some callers only have to be there.
class BatchFailureTest {
  @Test
  void add_whenABatchFails_failsOnlyItsCallers() {
    CoalescerHarness desk = CoalescerHarness.hot();
    CompletableFuture<Long> before = desk.ask(1);
    List<CompletableFuture<Long>> lost = List.of(desk.ask(1), desk.ask(1));
    desk.pass(CoalescerHarness.WINDOW);
    CompletableFuture<Long> after = desk.ask(1);
    desk.land();
    desk.pass(CoalescerHarness.WINDOW);

    desk.fail();
    desk.landAll();

    assertThat(before).isCompletedWithValue(1L);
    assertThat(lost).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(after).isCompletedWithValue(2L);
  }

  @Test
  void add_whenTheLeaderThrows_failsItsCallersAndFreesTheKey() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.thrown = new IllegalStateException("broken");
    CompletableFuture<Long> lost = desk.ask(1);
    desk.thrown = null;
    desk.pass(CoalescerHarness.WINDOW);

    CompletableFuture<Long> next = desk.ask(1);
    desk.landAll();

    assertThat(lost)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(BackendUnavailableException.class);
    assertThat(next).isCompletedWithValue(1L);
  }

  @Test
  void add_whenTheBackendAnswersAndThenThrows_completesOnce() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.throwing = true;
    CompletableFuture<Long> result = desk.ask(1);
    desk.throwing = false;

    for (int i = 0; i < 3; i++) {
      desk.pass(CoalescerHarness.WINDOW);
      desk.ask(1);
    }

    assertThat(result).isCompletedWithValue(1L);
    assertThat(desk.asked).hasSize(Batcher.MAX_IN_FLIGHT);
  }

  @Test
  void add_whileCallsFailAtOnce_collectsNoBatch() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.failing = true;

    List<CompletableFuture<Long>> result = List.of(desk.ask(1), desk.ask(1), desk.ask(1));

    assertThat(result).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void add_whenACallerThrows_theOthersAreAnsweredAndTheNextBatchIsSent() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.land();
    CompletableFuture<Long> first = desk.ask(1);
    CompletableFuture<Long> thrower = desk.ask(1);
    CompletableFuture<Long> third = desk.ask(1);
    thrower.complete(-1L); // If completed again, it throws.
    desk.pass(CoalescerHarness.WINDOW);

    assertThatThrownBy(desk::land).hasMessageContaining("completed twice");
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);

    assertThat(first).isCompletedWithValue(2L);
    assertThat(third).isCompletedWithValue(4L);
    assertThat(desk.sums()).containsExactly(1L);
  }

  @Test
  void add_whenACallerThrowsAnError_theOthersAreAnsweredAndTheNextBatchIsSent() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.land();
    desk.ask(new ThrowingSink());
    CompletableFuture<Long> second = desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);

    assertThatThrownBy(desk::land).isInstanceOf(AssertionError.class);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);

    assertThat(second).isCompletedWithValue(3L);
    assertThat(desk.sums()).containsExactly(1L);
  }

  @Test
  void add_cancelledCallers_areCountedOnce() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    CompletableFuture<Long> gone = desk.ask(1);
    CompletableFuture<Long> stays = desk.ask(1);

    gone.cancel(false);
    desk.pass(CoalescerHarness.WINDOW);
    desk.landAll();

    assertThat(stays).isCompletedWithValue(3L);
    assertThat(desk.asked).isEmpty();
  }

  @Test
  void add_fromACompletedCall_neitherRecursesNorHangs() {
    CoalescerHarness desk = CoalescerHarness.hot();
    var rounds = new ArrayList<CompletableFuture<Long>>();

    askAgainWhenDone(desk, rounds, 2000);
    while (rounds.size() < 2000) {
      desk.pass(CoalescerHarness.WINDOW);
      desk.landAll();
    }
    desk.pass(CoalescerHarness.WINDOW);
    desk.landAll();

    assertThat(rounds).hasSize(2000).allMatch(CompletableFuture::isDone);
  }

  @Test
  void close_withAPendingBatch_sendsItAndForwardsLaterCalls() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    CompletableFuture<Long> gathering = desk.ask(1);

    desk.coalescer.close();
    CompletableFuture<Long> after = desk.ask(1);
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(2L);
    assertThat(after).isCompletedWithValue(3L);
    assertThat(desk.batches).containsExactly(1, 1);
  }

  @Test
  void close_withTwoBatchesInFlight_answersAllWhenTheyComplete() {
    CoalescerHarness desk = CoalescerHarness.hot();
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.ask(1);
    CompletableFuture<Long> gathering = desk.ask(1);

    desk.coalescer.close();
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(3L);
  }

  private static void askAgainWhenDone(
      CoalescerHarness desk, List<CompletableFuture<Long>> rounds, int most) {
    CompletableFuture<Long> result = desk.ask(1);
    rounds.add(result);
    if (rounds.size() < most) {
      result.thenRun(() -> askAgainWhenDone(desk, rounds, most));
    }
  }

  /** A caller that throws an error on every outcome. */
  private static final class ThrowingSink implements CounterSink {
    @Override
    public void counted(int slot, long count) {
      throw new AssertionError("broken caller");
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      throw new AssertionError("broken caller");
    }
  }
}
