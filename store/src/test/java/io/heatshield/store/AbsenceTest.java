package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.stats.FilterCheck;
import io.heatshield.testkit.time.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbsenceTest {
  private HashSecret secret = HashSecret.of(new byte[16]);
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);

  @Test
  void get_absentKeysWithACompleteFilter_neverReachesTheEngine() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.ENFORCE, 1000));
    now(store.put(bytes("k"), bytes("v")));
    long start = engine.gets.get();

    now(store.get(bytes("absent")));
    long before = engine.gets.get();
    store.maintain();
    for (int i = 0; i < 100; i++) {
      now(store.get(bytes("absent" + i)));
    }

    assertThat(before - start).isEqualTo(1);
    assertThat(engine.gets.get() - before).isLessThan(5);
    assertThat(store.stats().absentAnswers()).isGreaterThan(95);
    assertThat(now(store.get(bytes("k")))).isNotNull();
  }

  @Test
  void get_inObserve_asksTheEngineAndFindsNoDisagreement() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.OBSERVE, 1000));
    store.maintain();
    for (int i = 0; i < 50; i++) {
      now(store.put(bytes("k" + i), bytes("v")));
    }

    for (int i = 0; i < 100; i++) {
      now(store.get(bytes("k" + i)));
    }

    assertThat(engine.gets.get()).isGreaterThanOrEqualTo(100);
    assertThat(store.stats().absentAnswers()).isZero();
    assertThat(store.stats().disagreements()).isZero();
  }

  @Test
  void filter_ofLittleMemory_growsWithTheKeysAndStaysComplete() {
    GuardedStore store =
        GuardedStore.over(TestEngine.local())
            .options(
                StoreOptions.of("little").maxMemory(1 << 20).with(filter(Mode.ENFORCE, 1_000_000)))
            .secret(secret)
            .ticker(ticker::nanos)
            .withoutUpkeep()
            .build();

    store.maintain();
    for (int i = 0; i < 5000; i++) {
      now(store.put(bytes("k" + i), bytes("v")));
      assertThat(store.filter().orElseThrow().complete()).as("after key %d", i).isTrue();
      if (i % 100 == 0) {
        store.maintain();
      }
    }

    assertThat(store.filter().orElseThrow().complete()).isTrue();
    assertThat(store.stats().filterBytes()).isLessThanOrEqualTo((1 << 20) / 100 * 5);
  }

  @Test
  void get_ofAKeyDeletedConcurrently_isNotAFalsePositive() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.ENFORCE, 1000));
    store.maintain();
    now(store.put(bytes("k"), bytes("v")));

    engine.beforeOneGet = () -> now(store.delete(bytes("k")));

    assertThat(now(store.get(bytes("k")))).isNull();
    assertThat(store.stats().falsePositives()).isZero();
  }

  @Test
  void get_withOtherWriters_isNeverAnsweredByTheFilter() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store =
        GuardedStore.over(engine)
            .options(StoreOptions.of("shared").with(filter(Mode.ENFORCE, 100)).withSharedWriters())
            .withoutUpkeep()
            .build();
    store.maintain();
    engine.listener = key -> {};

    engine.writeAsOther(bytes("foreign"), Value.of("v"));

    assertThat(now(store.get(bytes("foreign")))).isNotNull();
    assertThat(store.stats().disagreements()).isEqualTo(1);
    assertThat(store.filter().orElseThrow().mode()).isEqualTo(Mode.OBSERVE);
  }

  @Test
  void rebuild_duringWritesAndDeletes_losesNoKey() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.ENFORCE, 4000));
    for (int i = 0; i < 1000; i++) {
      now(store.put(bytes("k" + i), bytes("v")));
    }
    var turn = new AtomicLong();
    engine.whileScanning =
        () -> {
          long i = turn.getAndIncrement();
          now(store.put(bytes("k" + (i * 7) % 1000), bytes("again")));
          now(store.delete(bytes("k" + (i * 11) % 1000)));
          now(store.put(bytes("new" + i), bytes("v")));
          now(store.put(bytes("k" + (i * 11) % 1000), bytes("back")));
        };

    store.maintain();
    engine.whileScanning = () -> {};

    assertThat(store.filter().orElseThrow().complete()).isTrue();
    for (int i = 0; i < 1000; i++) {
      assertThat(now(store.get(bytes("k" + i)))).as("k%d", i).isNotNull();
    }
    for (int i = 0; i < turn.get(); i++) {
      assertThat(now(store.get(bytes("new" + i)))).as("new%d", i).isNotNull();
    }
  }

  @Test
  void put_pastTheSizeOfTheFilter_isFoundAndTheFilterGrows() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.ENFORCE, 100));
    store.maintain();

    for (int i = 0; i < 5000; i++) {
      now(store.put(bytes("k" + i), bytes("v")));
      assertThat(now(store.get(bytes("k" + i)))).isNotNull();
    }
    store.maintain();

    assertThat(store.filter().orElseThrow().complete()).isTrue();
    assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(5000);
    for (int i = 0; i < 5000; i++) {
      assertThat(now(store.get(bytes("k" + i)))).isNotNull();
    }
  }

  @Test
  void maintain_afterExpiryOfKeys_removesThemFromTheFilter() {
    GuardedStore store = store(TestEngine.local(), filter(Mode.ENFORCE, 1000));
    store.maintain();
    for (int i = 0; i < 100; i++) {
      now(store.put(bytes("k" + i), bytes("v"), Duration.ofMillis(10)));
    }

    millis.addAndGet(10);
    store.maintain();

    assertThat(store.filter().orElseThrow().stats().size()).isZero();
    assertThat(now(store.size())).isZero();
  }

  @Test
  void size_ofTheFilter_isThatOfTheStoreAfterEveryKindOfWrite() {
    GuardedStore store = store(TestEngine.local(), filter(Mode.ENFORCE, 1000));
    store.maintain();
    var sizes = new ArrayList<Long>();

    sizes.add(store.filter().orElseThrow().stats().size());
    now(store.put(bytes("a"), bytes("v")));
    now(store.put(bytes("a"), bytes("again")));
    sizes.add(store.filter().orElseThrow().stats().size());
    now(store.delete(bytes("a")));
    now(store.delete(bytes("never")));
    sizes.add(store.filter().orElseThrow().stats().size());
    now(store.put(bytes("b"), bytes("v")));
    now(store.increment(bytes("c"), 1));
    sizes.add(store.filter().orElseThrow().stats().size());
    store.clear().toCompletableFuture().join();
    sizes.add(store.filter().orElseThrow().stats().size());

    assertThat(sizes).containsExactly(0L, 1L, 0L, 2L, 0L);
    assertThat(store.check(bytes("b")).toCompletableFuture().join())
        .isEqualTo(new FilterCheck(false, true, false));
  }

  @Test
  void put_thatCertainlyFailed_doesNotChangeTheFilter() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.ENFORCE, 1000));
    store.maintain();
    engine.failure = new StoreException(StoreException.Reason.FULL, "no room");

    store.put(bytes("k"), bytes("v"));

    assertThat(store.filter().orElseThrow().stats().size()).isZero();
  }

  @Test
  void open_withAFilterSavedAtThisSequence_usesItAtOnce(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("filter");
    TestEngine engine = TestEngine.local();
    GuardedStore first = store(engine, filter(Mode.ENFORCE, 1000).keptIn(file));
    first.maintain();
    now(first.put(bytes("k"), bytes("v")));
    first.close();
    boolean kept = Files.exists(file);

    GuardedStore second = store(engine, filter(Mode.ENFORCE, 1000).keptIn(file));

    assertThat(kept).isTrue();
    assertThat(second.filter().orElseThrow().complete()).isTrue();
    assertThat(now(second.get(bytes("k")))).isNotNull();
  }

  @Test
  void open_withAFilterOfAnotherSequence_rebuilds(@TempDir Path folder) {
    Path file = folder.resolve("filter");
    TestEngine engine = TestEngine.local();
    GuardedStore first = store(engine, filter(Mode.ENFORCE, 1000).keptIn(file));
    first.maintain();
    first.close();
    engine.apply(Batch.of(bytes("k"), Value.of("v")));

    GuardedStore second = store(engine, filter(Mode.ENFORCE, 1000).keptIn(file));
    boolean before = second.filter().orElseThrow().complete();
    second.maintain();

    assertThat(before).isFalse();
    assertThat(second.filter().orElseThrow().complete()).isTrue();
    assertThat(now(second.get(bytes("k")))).isNotNull();
  }

  @Test
  void open_withAFilterOfAnotherSecret_rebuilds(@TempDir Path folder) {
    Path file = folder.resolve("filter");
    TestEngine engine = TestEngine.local();
    GuardedStore first = store(engine, filter(Mode.ENFORCE, 1000).keptIn(file));
    first.maintain();
    now(first.put(bytes("k"), bytes("v")));
    first.close();

    secret = HashSecret.of(new byte[32]);
    GuardedStore second = store(engine, filter(Mode.ENFORCE, 1000).keptIn(file));
    boolean trusted = second.filter().orElseThrow().complete();
    second.maintain();

    assertThat(trusted).isFalse();
    assertThat(second.filter().orElseThrow().complete()).isTrue();
    assertThat(now(second.get(bytes("k")))).isEqualTo(Value.of("v"));
  }

  @Test
  void open_withABrokenFile_rebuilds(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("filter");
    Files.write(file, new byte[1000]);

    GuardedStore store = store(TestEngine.local(), filter(Mode.ENFORCE, 1000).keptIn(file));
    store.maintain();

    assertThat(store.filter().orElseThrow().complete()).isTrue();
  }

  @Test
  void check_ofAKey_returnsTheResultsOfFilterAndEngine() {
    GuardedStore store = store(TestEngine.local(), filter(Mode.ENFORCE, 1000));
    store.maintain();
    now(store.put(bytes("k"), bytes("v")));

    FilterCheck there = now(store.check(bytes("k")));
    FilterCheck absent = now(store.check(bytes("absent")));

    assertThat(there).isEqualTo(new FilterCheck(true, true, true));
    assertThat(there.falsePositive()).isFalse();
    assertThat(absent.filterSaysPresent()).isFalse();
    assertThat(absent.actuallyExists()).isFalse();
  }

  @Test
  void put_ofAnExpiredValue_removesNoOtherKeyFromTheFilter() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, filter(Mode.ENFORCE, 2000));
    store.maintain();
    for (int i = 0; i < 1500; i++) {
      now(store.put(bytes("held" + i), new byte[1]));
    }

    Value ended = Value.of("v").until(millis.get());
    for (int i = 0; i < 40_000; i++) {
      now(store.put(bytes("absent" + i), ended, Condition.ALWAYS));
    }

    assertThat(store.filter().orElseThrow().complete()).isTrue();
    for (int i = 0; i < 1500; i++) {
      assertThat(now(store.get(bytes("held" + i)))).isNotNull();
    }
  }

  private GuardedStore store(TestEngine engine, StoreOptions.Filter filter) {
    return GuardedStore.over(engine)
        .options(StoreOptions.of("absent").with(filter))
        .secret(secret)
        .ticker(ticker::nanos)
        .clock(millis::get)
        .withoutUpkeep()
        .build();
  }

  private static StoreOptions.Filter filter(Mode mode, long items) {
    return StoreOptions.Filter.of(mode, items);
  }
}
