package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PendingTest {
  private static final long BUDGET = Duration.ofMillis(10).toNanos();

  private final FakeTicker ticker = new FakeTicker(Long.MAX_VALUE - BUDGET);
  private final Tally tally = new Tally();
  private final Pending pending = new Pending(3);

  @Test
  void take_afterOffers_givesThemInOrderOnce() {
    Command first = offer(new Told());
    Command second = offer(new Told());

    assertThat(pending.take()).isSameAs(first);
    assertThat(pending.take()).isSameAs(second);
    assertThat(pending.take()).isNull();
  }

  @Test
  void offer_beyondTheMost_isRefusedUntilOneIsDone() {
    Command first = offer(new Told());
    offer(new Told());
    offer(new Told());

    assertThat(pending.offer(command(new Told()))).isFalse();
    first.counted(1);
    pending.expire(ticker.nanos());
    assertThat(pending.offer(command(new Told()))).isTrue();
  }

  @Test
  void expire_atTheDeadline_endsWhatWasNotSentAsThatAndNeverSendsIt() {
    var told = new Told();
    offer(told);

    ticker.advanceNanos(BUDGET - 1);
    assertThat(pending.expire(ticker.nanos())).isZero();
    ticker.advanceNanos(1);
    assertThat(pending.expire(ticker.nanos())).isEqualTo(1);

    assertThat(told.failure()).isEqualTo(Failure.NOT_SENT_IN_TIME);
    assertThat(pending.take()).isNull();
  }

  @Test
  void expire_ofWhatWasSent_isAmbiguousAndALateAnswerIsDropped() {
    var told = new Told();
    Command command = offer(told);
    pending.take();

    ticker.advanceNanos(BUDGET);
    pending.expire(ticker.nanos());
    command.counted(7);

    assertThat(told.failure()).isEqualTo(Failure.AMBIGUOUS);
    assertThat(told.times).hasValue(1);
  }

  @Test
  void expire_withoutAFlusher_endsEveryCommandInItsTurn() {
    var early = new Told();
    var late = new Told();
    offer(early);
    ticker.advanceNanos(5);
    offer(late);

    ticker.advanceNanos(BUDGET - 5);
    pending.expire(ticker.nanos());

    assertThat(early.isTold()).isTrue();
    assertThat(late.isTold()).isFalse();
    assertThat(pending.untilDeadline(ticker.nanos(), BUDGET)).isEqualTo(5);
  }

  @Test
  void expire_ofWhatIsDueBeforeAnEarlierOne_endsItInTime() {
    var early = new Told();
    var late = new Told();
    offer(early);
    assertThat(pending.offer(command(late, 7))).isTrue();

    ticker.advanceNanos(BUDGET - 8);
    assertThat(pending.expire(ticker.nanos())).isZero();
    assertThat(pending.untilDeadline(ticker.nanos(), BUDGET)).isEqualTo(1);
    ticker.advanceNanos(1);
    assertThat(pending.expire(ticker.nanos())).isEqualTo(1);

    assertThat(late.isTold()).isTrue();
    assertThat(early.isTold()).isFalse();
    assertThat(pending.untilDeadline(ticker.nanos(), BUDGET)).isEqualTo(7);
    ticker.advanceNanos(7);
    assertThat(pending.expire(ticker.nanos())).isEqualTo(1);
    assertThat(pending.size()).isZero();
  }

  @Test
  void expire_ofWhatBothReadersHavePassed_takesItsLinkAway() {
    Command first = offer(new Told());
    Command second = offer(new Told());
    Command third = offer(new Told());

    pending.take();
    pending.take();
    first.counted(1);
    second.counted(2);
    pending.expire(ticker.nanos());

    assertThat(first.next()).isNull();
    assertThat(second.next()).isSameAs(third);
    assertThat(pending.take()).isSameAs(third);
  }

  @Test
  void expire_ofWhatTheFlusherHasNotPassed_leavesItsLink() {
    var last = new Told();
    Command first = offer(new Told());
    Command second = offer(new Told());
    first.counted(1);
    second.counted(2);
    pending.expire(ticker.nanos());
    Command third = offer(last);

    assertThat(first.next()).isSameAs(second);
    assertThat(pending.take()).isSameAs(third);
    pending.expire(ticker.nanos());

    assertThat(first.next()).isNull();
    assertThat(second.next()).isSameAs(third);
  }

  @Test
  void refuse_whatWaits_leavesWhatWasSentToItsAnswer() {
    var sent = new Told();
    var waiting = new Told();
    Command first = offer(sent);
    pending.take();
    offer(waiting);

    pending.refuse(Failure.BREAKER_OPEN);
    first.counted(4);

    assertThat(waiting.failure()).isEqualTo(Failure.BREAKER_OPEN);
    assertThat(sent.count()).isEqualTo(4);
  }

  @Test
  void abandon_everything_answersAll() {
    var sent = new Told();
    var waiting = new Told();
    offer(sent);
    pending.take();
    offer(waiting);

    pending.abandon();

    assertThat(sent.failure()).isEqualTo(Failure.AMBIGUOUS);
    assertThat(waiting.failure()).isEqualTo(Failure.CLOSED);
    assertThat(pending.size()).isZero();
  }

  @Test
  void send_ofARedirectedCommandThatWasGivenUp_isRefused() {
    Command first = command(new Told());
    Command second = first.redirected(false);
    Command third = second.redirected(true);

    first.giveUp(Failure.CLOSED);

    assertThat(second.send()).isFalse();
    assertThat(third.send()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void counted_whenTheSinkThrows_harmsNobody(Class<? extends Throwable> thrown) {
    var command =
        command(
            new CountSink() {
              @Override
              public void counted(long count) {
                if (thrown == AssertionError.class) {
                  throw new AssertionError("a sink that fails badly");
                }
                throw new IllegalStateException("a sink that fails");
              }

              @Override
              public void failed(RedisException reason) {}
            });

    command.counted(1);

    assertThat(command.isDone()).isTrue();
  }

  private Command offer(CountSink sink) {
    Command command = command(sink);
    assertThat(pending.offer(command)).isTrue();
    return command;
  }

  private Command command(CountSink sink) {
    return command(sink, 0);
  }

  private Command command(CountSink sink, long late) {
    long deadline = ticker.nanos() + BUDGET - late;
    return new Command(
        Script.of("return 1"), new byte[1], new byte[0][], deadline, late > 0, tally, sink);
  }
}
