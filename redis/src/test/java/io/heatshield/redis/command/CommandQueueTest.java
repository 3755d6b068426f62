package io.heatshield.redis.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.Script;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandQueueTest {
  private static final long BUDGET = Duration.ofMillis(10).toNanos();

  private final FakeTicker ticker = new FakeTicker(Long.MAX_VALUE - BUDGET);
  private final ClientCounters counters = new ClientCounters();
  private final CommandQueue queue = new CommandQueue(3);

  @Test
  void take_afterOffers_returnsThemInOrderOnce() {
    Command first = offer(new RecordingSink());
    Command second = offer(new RecordingSink());

    assertThat(queue.take()).isSameAs(first);
    assertThat(queue.take()).isSameAs(second);
    assertThat(queue.take()).isNull();
  }

  @Test
  void offer_beyondTheMaximum_isRejectedUntilOneIsDone() {
    Command first = offer(new RecordingSink());
    offer(new RecordingSink());
    offer(new RecordingSink());

    assertThat(queue.offer(command(new RecordingSink()))).isFalse();
    first.counted(1);
    queue.expire(ticker.nanos());
    assertThat(queue.offer(command(new RecordingSink()))).isTrue();
  }

  @Test
  void expire_atTheDeadline_failsUnsentCommandsAsNotSentAndNeverSendsThem() {
    var sink = new RecordingSink();
    offer(sink);

    ticker.advanceNanos(BUDGET - 1);
    assertThat(queue.expire(ticker.nanos())).isZero();
    ticker.advanceNanos(1);
    assertThat(queue.expire(ticker.nanos())).isEqualTo(1);

    assertThat(sink.failure()).isEqualTo(Failure.NOT_SENT_IN_TIME);
    assertThat(queue.take()).isNull();
  }

  @Test
  void expire_ofASentCommand_isAmbiguousAndALateReplyIsDropped() {
    var sink = new RecordingSink();
    Command command = offer(sink);
    queue.take();

    ticker.advanceNanos(BUDGET);
    queue.expire(ticker.nanos());
    command.counted(7);

    assertThat(sink.failure()).isEqualTo(Failure.AMBIGUOUS);
    assertThat(sink.times).hasValue(1);
  }

  @Test
  void expire_withoutAFlusher_failsEveryCommandInOrder() {
    var early = new RecordingSink();
    var late = new RecordingSink();
    offer(early);
    ticker.advanceNanos(5);
    offer(late);

    ticker.advanceNanos(BUDGET - 5);
    queue.expire(ticker.nanos());

    assertThat(early.isDone()).isTrue();
    assertThat(late.isDone()).isFalse();
    assertThat(queue.untilDeadline(ticker.nanos(), BUDGET)).isEqualTo(5);
  }

  @Test
  void expire_ofACommandDueBeforeAnEarlierOne_failsItInTime() {
    var early = new RecordingSink();
    var late = new RecordingSink();
    offer(early);
    assertThat(queue.offer(command(late, 7))).isTrue();

    ticker.advanceNanos(BUDGET - 8);
    assertThat(queue.expire(ticker.nanos())).isZero();
    assertThat(queue.untilDeadline(ticker.nanos(), BUDGET)).isEqualTo(1);
    ticker.advanceNanos(1);
    assertThat(queue.expire(ticker.nanos())).isEqualTo(1);

    assertThat(late.isDone()).isTrue();
    assertThat(early.isDone()).isFalse();
    assertThat(queue.untilDeadline(ticker.nanos(), BUDGET)).isEqualTo(7);
    ticker.advanceNanos(7);
    assertThat(queue.expire(ticker.nanos())).isEqualTo(1);
    assertThat(queue.size()).isZero();
  }

  @Test
  void expire_ofACommandThatBothReadersHavePassed_unlinksIt() {
    Command first = offer(new RecordingSink());
    Command second = offer(new RecordingSink());
    Command third = offer(new RecordingSink());

    queue.take();
    queue.take();
    first.counted(1);
    second.counted(2);
    queue.expire(ticker.nanos());

    assertThat(first.next()).isNull();
    assertThat(second.next()).isSameAs(third);
    assertThat(queue.take()).isSameAs(third);
  }

  @Test
  void expire_ofACommandThatTheFlusherHasNotPassed_keepsItsLink() {
    var last = new RecordingSink();
    Command first = offer(new RecordingSink());
    Command second = offer(new RecordingSink());
    first.counted(1);
    second.counted(2);
    queue.expire(ticker.nanos());
    Command third = offer(last);

    assertThat(first.next()).isSameAs(second);
    assertThat(queue.take()).isSameAs(third);
    queue.expire(ticker.nanos());

    assertThat(first.next()).isNull();
    assertThat(second.next()).isSameAs(third);
  }

  @Test
  void refuse_pendingCommands_leavesSentCommandsPending() {
    var sent = new RecordingSink();
    var waiting = new RecordingSink();
    Command first = offer(sent);
    queue.take();
    offer(waiting);

    queue.refuse(Failure.BREAKER_OPEN);
    first.counted(4);

    assertThat(waiting.failure()).isEqualTo(Failure.BREAKER_OPEN);
    assertThat(sent.count()).isEqualTo(4);
  }

  @Test
  void failAll_pendingAndSentCommands_failsAll() {
    var sent = new RecordingSink();
    var waiting = new RecordingSink();
    offer(sent);
    queue.take();
    offer(waiting);

    queue.failAll();

    assertThat(sent.failure()).isEqualTo(Failure.AMBIGUOUS);
    assertThat(waiting.failure()).isEqualTo(Failure.CLOSED);
    assertThat(queue.size()).isZero();
  }

  @Test
  void send_ofARedirectedCommandThatHasExpired_isRejected() {
    Command first = command(new RecordingSink());
    Command second = first.redirected(false);
    Command third = second.redirected(true);

    first.giveUp(Failure.CLOSED);

    assertThat(second.send()).isFalse();
    assertThat(third.send()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void counted_whenTheSinkThrows_doesNotAffectOthers(Class<? extends Throwable> thrown) {
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
    assertThat(queue.offer(command)).isTrue();
    return command;
  }

  private Command command(CountSink sink) {
    return command(sink, 0);
  }

  private Command command(CountSink sink, long late) {
    long deadline = ticker.nanos() + BUDGET - late;
    return new Command(
        Script.of("return 1"), new byte[1], new byte[0][], deadline, late > 0, counters, sink);
  }
}
