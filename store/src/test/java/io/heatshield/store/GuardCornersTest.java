package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardCornersTest {
  private static final byte[] KEY = bytes("k");
  private final HashSecret secret = HashSecret.of(new byte[16]);
  private final FakeTicker ticker = new FakeTicker();

  private GuardedStore store(Engine engine, StoreOptions options) {
    return GuardedStore.over(engine)
        .options(options)
        .secret(secret)
        .ticker(ticker::nanos)
        .withoutUpkeep()
        .build();
  }

  private static StoreOptions plain() {
    return StoreOptions.of("s").with((StoreOptions.Filter) null);
  }

  @Test
  void groups_whoseReadFails_failForEveryMember() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store =
        store(engine, plain().with(new StoreOptions.WriteLimit(Mode.OFF, 128, 1, 2)));
    now(store.increment(KEY, 1));
    engine.batchGate = new CompletableFuture<>();
    var first = store.increment(KEY, 1).toCompletableFuture();
    var second = store.increment(KEY, 1).toCompletableFuture();
    var third = store.increment(KEY, 1).toCompletableFuture();
    engine.readFailure = new StoreException(StoreException.Reason.UNREACHED, "down");

    engine.batchGate.complete(null);

    assertThat(first).isDone();
    assertThat(second).isDone();
    assertThat(third).isDone();
  }

  @Test
  void groups_aWriteThatWasRejected_isNotExecutedByTheNext() {
    TestEngine engine = TestEngine.local();
    engine.blocking = true;
    var refuses = new AtomicBoolean();
    GuardedStore store =
        GuardedStore.over(engine)
            .options(plain().with(new StoreOptions.WriteLimit(Mode.OFF, 128, 1, 2)))
            .ticker(ticker::nanos)
            .executor(
                task -> {
                  if (refuses.get()) {
                    throw new RejectedExecutionException();
                  }
                  task.run();
                })
            .withoutUpkeep()
            .build();
    now(store.increment(KEY, 1));
    now(store.increment(KEY, 1));
    refuses.set(true);
    var refused = store.increment(KEY, 1).toCompletableFuture();
    refuses.set(false);

    WriteResult<Long> next = now(store.increment(KEY, 1));

    assertThat(refused).isCompletedExceptionally();
    assertThat(next.answer()).isEqualTo(3);
  }

  @Test
  void filter_thatWasOffBeforeClose_isNotTrustedAfterwards(@TempDir Path folder) {
    TestEngine engine = TestEngine.local();
    StoreOptions.Filter on = StoreOptions.Filter.of(Mode.ENFORCE, 1000).keptIn(folder.resolve("f"));
    StoreOptions.Filter off = StoreOptions.Filter.of(Mode.OFF, 1000).keptIn(folder.resolve("f"));
    GuardedStore store = store(engine, StoreOptions.of("s").with(on));
    store.maintain();
    store.retune(StoreOptions.of("s").with(off));
    now(store.put(KEY, bytes("v")));
    store.close();

    GuardedStore again = store(engine, StoreOptions.of("s").with(on));

    assertThat(now(again.get(KEY))).isNotNull();
  }

  @Test
  void filter_offAndOnAgainDuringARebuild_saysNoKeyIsAbsent() {
    TestEngine engine = TestEngine.local();
    StoreOptions on = StoreOptions.of("s").with(StoreOptions.Filter.of(Mode.ENFORCE, 1000));
    StoreOptions off = StoreOptions.of("s").with(StoreOptions.Filter.of(Mode.OFF, 1000));
    GuardedStore store = store(engine, on);
    for (int i = 0; i < 100; i++) {
      now(store.put(bytes("old" + i), bytes("v")));
    }
    var turn = new AtomicInteger();
    engine.whileScanning =
        () -> {
          if (turn.getAndIncrement() == 99) {
            store.retune(off);
            for (int i = 0; i < 100; i++) {
              now(store.put(bytes("new" + i), bytes("v")));
            }
            store.retune(on);
          }
        };
    store.maintain();
    engine.whileScanning = () -> {};

    var missing = new ArrayList<Integer>();
    for (int i = 0; i < 100; i++) {
      if (now(store.get(bytes("new" + i))) == null) {
        missing.add(i);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void getAll_ofAKeyThatIsHotAndWasWritten_isServedFromMemoryAgain() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, plain());
    now(store.put(KEY, bytes("1")));
    for (int i = 0; i < 30; i++) {
      now(store.getAll(List.of(KEY)));
    }
    long hits = store.stats().cacheHits();
    now(store.put(KEY, bytes("2")));

    for (int i = 0; i < 100; i++) {
      now(store.getAll(List.of(KEY)));
    }

    assertThat(hits).isPositive();
    assertThat(store.stats().cacheHits() - hits).isGreaterThan(90);
  }

  @Test
  void clear_thatFailsPartially_clearsTheCache() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store = store(engine, plain());
    now(store.put(KEY, bytes("1")));
    for (int i = 0; i < 30; i++) {
      now(store.get(KEY));
    }
    engine.clearFailure = new StoreException(StoreException.Reason.UNAVAILABLE, "cut");

    assertThat(store.clear().toCompletableFuture()).isCompletedExceptionally();

    assertThat(now(store.get(KEY))).isNull();
  }

  @Test
  void stats_afterTheThresholdWasChanged_listKeysByIt() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, plain());
    store.retune(
        plain()
            .with(
                new StoreOptions.HotReads(
                    Mode.ENFORCE, 5, Duration.ofSeconds(15), Duration.ofSeconds(1))));
    now(store.put(KEY, bytes("1")));
    for (int i = 0; i < 8; i++) {
      now(store.get(KEY));
    }

    assertThat(store.stats().cacheHits()).isPositive();
    assertThat(store.stats().hotReadKeys()).hasSize(1);
  }

  @Test
  void getAll_inObserve_isComparedAsGetIs() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store =
        store(
            engine,
            StoreOptions.of("s")
                .with(StoreOptions.Filter.of(Mode.OBSERVE, 1000))
                .withSharedWriters());
    store.maintain();
    engine.writeAsOther(bytes("foreign"), Value.of("v"));

    now(store.getAll(List.of(bytes("foreign"))));

    assertThat(store.stats().disagreements()).isEqualTo(1);
  }

  @Test
  void put_withATtlThatOverflows_isABadArgument() {
    GuardedStore store = store(TestEngine.local(), plain());

    assertThatThrownBy(() -> store.put(KEY, bytes("v"), Duration.ofMillis(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.expire(KEY, Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void update_thatIsRefusedForOneKey_doesNotUseUpTheOther() {
    GuardedStore store =
        store(TestEngine.local(), plain().with(new StoreOptions.WriteLimit(Mode.ENFORCE, 3, 0, 2)));
    byte[] other = bytes("other");
    for (int i = 0; i < 3; i++) {
      now(store.put(KEY, bytes("v")));
    }
    for (int i = 0; i < 5; i++) {
      WriteResult<Boolean> both =
          now(
              store.update(
                  List.of(other, KEY),
                  view -> {
                    view.put(other, Value.of("v"));
                    view.put(KEY, Value.of("v"));
                    return true;
                  }));
      assertThat(both.isThrottled()).isTrue();
    }

    assertThat(now(store.put(other, bytes("v"))).isThrottled()).isFalse();
  }

  @Test
  void pressure_whoseListenerThrows_doesNotStopMaintenance() {
    TestEngine engine = TestEngine.local();
    GuardedStore store =
        GuardedStore.over(engine)
            .options(StoreOptions.of("s").maxMemory(1 << 20))
            .ticker(ticker::nanos)
            .onPressure(
                pressure -> {
                  throw new IllegalStateException("mine");
                })
            .withoutUpkeep()
            .build();
    for (int i = 0; i < 20; i++) {
      now(store.put(bytes("k" + i), new byte[60_000]));
      for (int j = 0; j < 20; j++) {
        now(store.get(bytes("k" + i)));
      }
    }
    for (int i = 0; i < 3; i++) {
      store.maintain();
    }

    assertThat(store.filter().orElseThrow().complete()).isTrue();
  }

  @Test
  void filter_savedWhileAStructureIsUnsaved_isLoadedAgain(@TempDir Path folder) {
    TestEngine data = TestEngine.local();
    StoreOptions options =
        StoreOptions.of("s")
            .with(StoreOptions.Filter.of(Mode.ENFORCE, 1000).keptIn(folder.resolve("f")));
    GuardedStore store = store(TestStructure.engine(data), options);
    store.maintain();
    TestStructure.putAndChange(store, KEY);
    store.close();

    GuardedStore again = store(TestStructure.engine(data), options);

    assertThat(again.filter().orElseThrow().complete()).isTrue();
  }

  @Test
  void update_withTheClampOffAndABurstThreshold_touchesTheRing() {
    GuardedStore store =
        GuardedStore.over(TestEngine.local())
            .options(StoreOptions.of("s").with(new StoreOptions.WriteLimit(Mode.OFF, 128, 10, 2)))
            .withoutUpkeep()
            .build();
    for (int i = 0; i < 100; i++) {
      now(
          store.update(
              List.of(KEY),
              view -> {
                view.put(KEY, Value.of("v"));
                return true;
              }));
    }

    assertThat(store.stats().hotWriteKeys()).hasSize(1);
  }
}
