package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The times at which batches of event loops are sent. */
@SuppressWarnings("FutureReturnValueIgnored") // Some callers only have to be there.
class LoopBatchTest {
  private static final Duration PATIENCE = Duration.ofNanos(Batcher.LOOP_TIMEOUT_NANOS);

  private final CoalescerHarness desk = CoalescerHarness.hot();
  private final ManualLoop loop = new ManualLoop();

  LoopBatchTest() {
    desk.loop = loop;
  }

  @Test
  void add_inOneTurn_isSentAsOneBatchAtItsEnd() {
    List<CompletableFuture<Long>> result = List.of(desk.ask(1), desk.ask(2), desk.ask(1));
    assertThat(desk.sums()).isEmpty();
    assertThat(loop.asked()).isEqualTo(1);

    loop.turn();
    desk.land();

    assertThat(result).extracting(CompletableFuture::join).containsExactly(1L, 3L, 4L);
    assertThat(desk.batches).containsExactly(3);
  }

  @Test
  void completion_onAnotherThread_isDeliveredOncePerLoop() {
    var other = new ManualLoop();
    loop.away = true;
    other.away = true;
    CompletableFuture<Long> first = desk.ask(1);
    desk.loop = other;
    CompletableFuture<Long> second = desk.ask(2);
    desk.loop = loop;
    CompletableFuture<Long> third = desk.ask(1);
    loop.turn();

    desk.land();

    assertThat(List.of(loop.landed(), other.landed())).containsExactly(1, 1);
    assertThat(List.of(first, second, third)).noneMatch(CompletableFuture::isDone);
    other.turn();
    assertThat(second).isCompletedWithValue(3L);
    assertThat(first).isNotDone();
    loop.turn();
    assertThat(first).isCompletedWithValue(1L);
    assertThat(third).isCompletedWithValue(4L);
  }

  @Test
  void completion_withCallersWithAndWithoutALoop_answersBoth() {
    CompletableFuture<Long> first = desk.ask(1);
    desk.loop = null;
    CompletableFuture<Long> second = desk.ask(1);
    loop.turn();

    desk.land();

    assertThat(first).isCompletedWithValue(1L);
    assertThat(second).isCompletedWithValue(2L);
  }

  @Test
  void add_inTheNextTurn_isSentByTheLoopAtTheEndOfTheWindow() {
    desk.ask(1);
    loop.turn();
    desk.ask(1);
    loop.turn();
    assertThat(desk.sums()).containsExactly(1L);

    desk.ticker.advance(CoalescerHarness.WINDOW);
    loop.ring();

    assertThat(desk.sums()).containsExactly(1L, 1L);
  }

  @Test
  void add_whenABatchCompletesDuringTheTurn_isSentAtItsEnd() {
    desk.ask(1);
    loop.turn();
    desk.pass(CoalescerHarness.WINDOW);
    CompletableFuture<Long> gathering = desk.ask(1);

    desk.land();
    desk.ask(1);
    assertThat(desk.sums()).isEmpty();
    loop.turn();
    desk.land();

    assertThat(gathering).isCompletedWithValue(2L);
    assertThat(desk.batches).containsExactly(1, 2);
  }

  @Test
  void add_whenTwoAreInFlight_isSentAsSoonAsOneCompletes() {
    for (int i = 0; i < 3; i++) {
      desk.ask(1);
      loop.turn();
      desk.ticker.advance(CoalescerHarness.WINDOW);
    }
    assertThat(desk.sums()).containsExactly(1L, 1L);

    desk.land();

    assertThat(desk.sums()).containsExactly(1L, 1L);
    assertThat(desk.batches).containsExactly(1, 1, 1);
  }

  @Test
  void add_whenTheLoopDropsItsTask_isSentByTheTimer() {
    CompletableFuture<Long> result = desk.ask(1);
    loop.drop();

    desk.pass(PATIENCE.minusNanos(1));
    assertThat(desk.sums()).isEmpty();
    desk.pass(Duration.ofNanos(1));
    desk.land();

    assertThat(result).isCompletedWithValue(1L);
  }

  @Test
  void add_whenTheLoopDropsADelayedTask_isSentByTheTimerAndSoIsTheNext() {
    desk.ask(1);
    loop.turn();
    desk.ask(1);
    loop.turn();
    loop.drop();

    desk.pass(PATIENCE);
    assertThat(desk.sums()).containsExactly(1L, 1L);
    desk.landAll();
    desk.loop = null;
    CompletableFuture<Long> gathering = desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(3L);
  }

  @Test
  void add_whenTheLoopRejectsTasks_isSentAtOnceOrByTheTimer() {
    loop.refusing = true;

    desk.ask(1);
    assertThat(desk.sums()).containsExactly(1L);
    desk.ask(1);
    desk.pass(CoalescerHarness.WINDOW);

    assertThat(desk.sums()).containsExactly(1L, 1L);
  }

  @Test
  void close_withCallsOfATurn_sendsThem() {
    CompletableFuture<Long> gathering = desk.ask(1);
    loop.drop();

    desk.coalescer.close();
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(1L);
  }

  @Test
  void close_beforeTheEndOfAWindow_sendsThePendingBatch() {
    desk.ask(1);
    loop.turn();
    CompletableFuture<Long> gathering = desk.ask(1);
    loop.turn();
    loop.drop();

    desk.coalescer.close();
    desk.landAll();

    assertThat(gathering).isCompletedWithValue(2L);
  }
}
