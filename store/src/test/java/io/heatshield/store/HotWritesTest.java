package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HotWritesTest {
  private static final byte[] KEY = bytes("k");
  private final FakeTicker ticker = new FakeTicker();
  private final TestEngine engine = TestEngine.local();

  @Test
  void writes_overTheLimit_areRejectedWithATimeAndChangeNothing() {
    GuardedStore store = store(new StoreOptions.WriteLimit(Mode.ENFORCE, 3, 0, 2));
    now(store.put(KEY, bytes("1")));
    now(store.put(KEY, bytes("2"), Duration.ofHours(1)));
    now(store.increment(KEY, 1));

    WriteResult<Long> fourth = now(store.increment(KEY, 1));
    WriteResult<Boolean> inside =
        now(
            store.update(
                List.of(KEY),
                view -> {
                  view.put(KEY, Value.of("x"));
                  return true;
                }));

    assertThat(fourth.isThrottled()).isTrue();
    assertThat(fourth.retryAfterMillis()).isBetween(1L, 2000L);
    assertThat(inside.isThrottled()).isTrue();
    assertThat(now(store.get(KEY)).text()).isEqualTo("3");
    assertThat(store.stats().clampedWrites()).isEqualTo(2);
    assertThat(store.stats().lines()).contains("Write.HotKeyThrottled 2");
    assertThat(now(store.put(bytes("other"), bytes("v"))).isThrottled()).isFalse();
    assertThat(now(store.delete(KEY))).isTrue();
  }

  @Test
  void writes_ofAKeyThatIsHotElsewhere_areLimitedToThisNodesShare() {
    GuardedStore store = store(new StoreOptions.WriteLimit(Mode.ENFORCE, 6, 0, 2));
    store.hotElsewhere(List.of(KEY), 3);
    now(store.put(KEY, bytes("1")));
    now(store.put(KEY, bytes("2")));

    WriteResult<?> third = now(store.put(KEY, bytes("3")));
    store.hotElsewhere(List.of(), 3);
    WriteResult<?> whole = now(store.put(KEY, bytes("4")));

    assertThat(third.isThrottled()).isTrue();
    assertThat(whole.isThrottled()).isFalse();
  }

  @Test
  void writes_afterTheReturnedTime_areAccepted() {
    GuardedStore store = store(new StoreOptions.WriteLimit(Mode.ENFORCE, 1, 0, 2));
    now(store.put(KEY, bytes("1")));
    long wait = now(store.put(KEY, bytes("2"))).retryAfterMillis();

    ticker.advance(Duration.ofMillis(wait));

    assertThat(now(store.put(KEY, bytes("3"))).isThrottled()).isFalse();
  }

  @Test
  void writes_inObserve_areCountedAndAccepted() {
    GuardedStore store = store(new StoreOptions.WriteLimit(Mode.OBSERVE, 1, 0, 2));

    LongStream.range(0, 10).forEach(i -> now(store.increment(KEY, 1)));

    assertThat(now(store.get(KEY)).text()).isEqualTo("10");
    assertThat(store.stats().clampedWrites()).isZero();
  }

  @Test
  void writes_ofAHotKeyDuringAWrite_becomeOneBatchAndEachIsAnswered() {
    TestEngine remote = TestEngine.remote();
    GuardedStore store =
        GuardedStore.over(remote)
            .options(options(new StoreOptions.WriteLimit(Mode.OFF, 1, 1, 2)))
            .ticker(ticker::nanos)
            .withoutUpkeep()
            .build();
    now(store.increment(KEY, 1));
    var held = new CompletableFuture<Void>();
    remote.batchGate = held;
    CompletionStage<WriteResult<Long>> first = store.increment(KEY, 1);
    long before = remote.batches.get();

    var waiting = new ArrayList<CompletionStage<WriteResult<Long>>>();
    for (int i = 0; i < 20; i++) {
      waiting.add(store.increment(KEY, 1));
    }
    remote.batchGate = null;
    held.complete(null);

    assertThat(now(first).answer()).isEqualTo(2);
    assertThat(waiting.stream().map(stage -> now(stage).answer()))
        .containsExactlyElementsOf(LongStream.rangeClosed(3, 22).boxed().toList());
    assertThat(remote.batches.get() - before).isEqualTo(1);
    assertThat(store.stats().groupedWrites()).isEqualTo(21);
  }

  @Test
  void increment_inABatchWithAFailingCall_isNotAffected() {
    GuardedStore store = store(new StoreOptions.WriteLimit(Mode.OFF, 1, 1, 2));
    now(store.put(KEY, bytes("x")));
    now(store.put(KEY, bytes("x")));

    CompletionStage<WriteResult<Long>> bad = store.increment(KEY, 1);

    assertThat(bad.toCompletableFuture()).isCompletedExceptionally();
    assertThat(now(store.get(KEY)).text()).isEqualTo("x");
  }

  private GuardedStore store(StoreOptions.WriteLimit limit) {
    return GuardedStore.over(engine)
        .options(options(limit))
        .ticker(ticker::nanos)
        .withoutUpkeep()
        .build();
  }

  private static StoreOptions options(StoreOptions.WriteLimit limit) {
    return StoreOptions.of("writes").with((StoreOptions.Filter) null).with(limit);
  }
}
