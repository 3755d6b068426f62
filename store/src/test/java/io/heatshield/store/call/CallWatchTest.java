package io.heatshield.store.call;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.TestEngine;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.store.stats.RunningCall;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallWatchTest {
  private static final Duration STEP = Duration.ofSeconds(1);

  private final FakeTicker ticker = new FakeTicker();
  private final CallWatch watch = new CallWatch(ticker::nanos);

  @Test
  void longest_ofNoCall_isEmpty() {
    CallWatch.Slot slot = watch.enter();
    slot.leave();

    assertThat(watch.longest()).isEmpty();
  }

  @Test
  void longest_ofARunningCall_isMeasuredFromTheFirstCheck() {
    CallWatch.Slot slot = watch.enter();

    RunningCall first = watch.longest().orElseThrow();
    ticker.advance(STEP);
    RunningCall second = watch.longest().orElseThrow();
    slot.leave();

    assertThat(first).isEqualTo(new RunningCall(Thread.currentThread(), Duration.ZERO));
    assertThat(second).isEqualTo(new RunningCall(Thread.currentThread(), STEP));
    assertThat(watch.longest()).isEmpty();
  }

  @Test
  void longest_ofOneCallAfterAnother_isNeverOld() {
    Duration most = Duration.ZERO;

    for (int i = 0; i < 10; i++) {
      CallWatch.Slot slot = watch.enter();
      ticker.advance(STEP);
      Duration running = watch.longest().orElseThrow().running();
      most = running.compareTo(most) > 0 ? running : most;
      slot.leave();
    }

    assertThat(most).isZero();
  }

  @Test
  void longest_ofACallInsideAnother_isTheOuterOne() {
    CallWatch.Slot outer = watch.enter();
    Duration first = watch.longest().orElseThrow().running();
    CallWatch.Slot inner = watch.enter();
    ticker.advance(STEP);
    inner.leave();

    Duration second = watch.longest().orElseThrow().running();
    outer.leave();

    assertThat(first).isZero();
    assertThat(second).isEqualTo(STEP);
    assertThat(watch.longest()).isEmpty();
  }

  @Test
  void longest_ofAStageThatIsNotComplete_hasNoThread() {
    var later = new CompletableFuture<String>();
    watch.track(later);
    watch.track(CompletableFuture.completedFuture("at once"));

    ticker.advance(STEP);
    RunningCall waiting = watch.longest().orElseThrow();
    later.complete("late");

    assertThat(waiting).isEqualTo(new RunningCall(null, STEP));
    assertThat(watch.longest()).isEmpty();
  }

  @Test
  void slots_ofThreadsThatEnded_areRemoved() throws InterruptedException {
    CallWatch.Slot mine = watch.enter();
    for (int i = 0; i < 300; i++) {
      var thread = new Thread(() -> watch.enter().leave());
      thread.start();
      thread.join();
    }

    assertThat(watch.slots()).isLessThan(100);
    assertThat(watch.longest()).isPresent();
    mine.leave();
  }

  @Test
  void longestCall_ofAStoreWhoseEngineHangs_namesTheThread() throws Exception {
    var engine = TestEngine.local();
    engine.blocking = true;
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    engine.beforeOneGet =
        () -> {
          entered.countDown();
          await(release);
        };
    var disk = Executors.newSingleThreadExecutor(task -> new Thread(task, "the disk"));
    try (GuardedStore store =
        GuardedStore.over(engine)
            .options(StoreOptions.of("hangs").unguarded())
            .ticker(ticker::nanos)
            .executor(disk)
            .withoutUpkeep()
            .build()) {
      CompletableFuture<?> answer = store.get(bytes("k")).toCompletableFuture();
      entered.await(1, TimeUnit.MINUTES);
      Duration first = store.longestCall().orElseThrow().running();
      ticker.advance(STEP);
      RunningCall longest = store.longestCall().orElseThrow();
      release.countDown();
      answer.get(1, TimeUnit.MINUTES);

      assertThat(first).isZero();
      assertThat(longest.running()).isEqualTo(STEP);
      assertThat(longest.thread()).extracting(Thread::getName).isEqualTo("the disk");
    } finally {
      disk.shutdown();
    }
  }

  @Test
  void longestCall_ofAMemoryStoreWithALockedStripe_findsTheWaitingThread() throws Exception {
    var held = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var threads = Executors.newFixedThreadPool(2);
    try (GuardedStore store =
        GuardedStore.over(new MemoryEngine(1 << 20))
            .ticker(ticker::nanos)
            .withoutUpkeep()
            .build()) {
      byte[] key = bytes("k");
      Future<?> holder =
          threads.submit(
              () ->
                  now(
                      store.update(
                          key,
                          store.hash().hash(key),
                          view -> {
                            held.countDown();
                            await(release);
                            return true;
                          })));
      held.await(1, TimeUnit.MINUTES);
      Future<Long> waiter = threads.submit(() -> set(store, key));
      RunningCall longest = store.longestCall().orElseThrow();
      release.countDown();
      holder.get(1, TimeUnit.MINUTES);

      assertThat(longest.thread()).isNotNull();
      assertThat(waiter.get(1, TimeUnit.MINUTES)).isZero();
      assertThat(store.longestCall()).isEmpty();
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void longestCall_ofAStoreThatAnswersLater_returnsItsDuration() {
    var engine = TestEngine.remote();
    var gate = new CompletableFuture<Void>();
    engine.gate = gate;
    try (GuardedStore store =
        GuardedStore.over(engine)
            .options(StoreOptions.of("later").unguarded())
            .ticker(ticker::nanos)
            .withoutUpkeep()
            .build()) {
      CompletableFuture<?> answer = store.get(bytes("k")).toCompletableFuture();
      ticker.advance(STEP);
      RunningCall longest = store.longestCall().orElseThrow();
      gate.complete(null);
      answer.join();

      assertThat(longest).isEqualTo(new RunningCall(null, STEP));
      assertThat(store.longestCall()).isEmpty();
    }
  }

  private static long set(GuardedStore store, byte[] key) {
    return store.inline().orElseThrow().set(key, store.hash().hash(key), bytes("v"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
