package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.store.engine.Value;
import io.heatshield.store.stats.HotKey;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HotReadsTest {
  private static final byte[] KEY = bytes("k");
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void get_fromTheThresholdOn_doesNotCallTheEngine() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("v")));

    read(store, 100);

    assertThat(engine.gets).hasValue(3);
    assertThat(store.stats().cacheHits()).isEqualTo(97);
    assertThat(store.stats().hotReadKeys()).extracting(HotKey::key).containsExactly("k");
  }

  @Test
  void get_withAThresholdOfOne_isKeptFromTheFirstRead() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, 1, Duration.ofSeconds(15));
    now(store.put(KEY, bytes("v")));

    read(store, 10);

    assertThat(engine.gets).hasValue(1);
  }

  @Test
  void get_withACooldownOfZero_keepsNothing() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, 1, Duration.ZERO);
    now(store.put(KEY, bytes("v")));

    read(store, 10);

    assertThat(engine.gets).hasValue(10);
    assertThat(store.stats().cacheHits()).isZero();
  }

  @Test
  void get_inObserve_callsTheEngineEveryTimeAndCountsSavings() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.OBSERVE);
    now(store.put(KEY, bytes("v")));

    read(store, 100);

    assertThat(engine.gets).hasValue(100);
    assertThat(store.stats().cacheHits()).isZero();
  }

  @Test
  void get_ofAKeyThatIsHotElsewhere_isKeptFromItsFirstRead() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("v")));
    now(store.put(bytes("other"), bytes("v")));

    store.hotElsewhere(List.of(KEY), 3);
    read(store, 100);
    long of = engine.gets.get();
    now(store.get(bytes("other")));
    now(store.get(bytes("other")));

    assertThat(of).isEqualTo(1);
    assertThat(engine.gets.get() - of).isEqualTo(2);
  }

  @Test
  void get_ofAKeyThatIsHotElsewhereInObserve_callsTheEngineEveryTime() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.OBSERVE);
    now(store.put(KEY, bytes("v")));

    store.hotElsewhere(List.of(KEY), 3);
    read(store, 100);

    assertThat(engine.gets).hasValue(100);
  }

  @Test
  void put_ofAKeptKey_isSeenByTheNextRead() {
    GuardedStore store = store(TestEngine.local(), Mode.ENFORCE);
    now(store.put(KEY, bytes("old")));
    read(store, 10);

    now(store.put(KEY, bytes("new")));

    assertThat(text(store.get(KEY))).isEqualTo("new");
  }

  @Test
  void get_whileAnotherLoads_sharesItsCall() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("v")));
    engine.gate = new CompletableFuture<>();
    long before = engine.gets.get();

    CompletionStage<@Nullable Value> first = store.get(KEY);
    CompletionStage<@Nullable Value> second = store.get(KEY);
    open(engine);

    assertThat(engine.gets.get() - before).isEqualTo(1);
    assertThat(text(first)).isEqualTo("v");
    assertThat(text(second)).isEqualTo("v");
    assertThat(store.stats().flightsJoined()).isEqualTo(1);
  }

  @Test
  void put_duringALoad_hidesTheLoadedValue() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("old")));
    read(store, 2);
    engine.gate = new CompletableFuture<>();
    CompletionStage<@Nullable Value> load = store.get(KEY);
    CompletableFuture<Void> first = engine.gate;
    engine.gate = null;

    now(store.put(KEY, bytes("new")));
    String after = text(store.get(KEY));
    first.complete(null);

    assertThat(text(load)).isEqualTo("old");
    assertThat(after).isEqualTo("new");
    assertThat(text(store.get(KEY))).isEqualTo("new");
  }

  @Test
  void get_afterTheCooldown_callsTheEngineAgain() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("v")));
    read(store, 10);
    long before = engine.gets.get();

    ticker.advance(Duration.ofSeconds(15));
    read(store, 1);

    assertThat(engine.gets.get() - before).isEqualTo(1);
  }

  @Test
  void get_hotUntilCloseToItsMaximumAge_isReloadedBeforeIt() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("v")));
    read(store, 10);
    long before = engine.gets.get();

    ticker.advance(Duration.ofSeconds(14));
    read(store, 10);
    ticker.advance(Duration.ofSeconds(14));
    read(store, 1);

    assertThat(engine.gets.get() - before).isEqualTo(1);
  }

  @Test
  void get_withOtherWriters_isNeverOlderThanMaxStaleEvenWithoutInvalidations() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store = store(engine, Mode.ENFORCE, true);
    now(store.put(KEY, bytes("old")));
    read(store, 10);
    engine.listener = key -> {};

    engine.writeAsOther(KEY, Value.of("new"));
    String within = text(store.get(KEY));
    ticker.advance(Duration.ofSeconds(1));

    assertThat(within).isEqualTo("old");
    assertThat(text(store.get(KEY))).isEqualTo("new");
  }

  @Test
  void get_afterAnInvalidation_seesTheForeignWrite() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store = store(engine, Mode.ENFORCE, true);
    now(store.put(KEY, bytes("old")));
    read(store, 10);

    engine.writeAsOther(KEY, Value.of("new"));

    assertThat(text(store.get(KEY))).isEqualTo("new");
  }

  @Test
  void get_withoutInvalidations_alwaysReadsTheEngine() {
    TestEngine engine = TestEngine.remote();
    GuardedStore store = store(engine, Mode.ENFORCE, true);
    now(store.put(KEY, bytes("v")));
    read(store, 10);
    long before = engine.gets.get();

    engine.reporting = false;
    read(store, 10);

    assertThat(engine.gets.get() - before).isEqualTo(10);
  }

  @Test
  void scan_ofAHotKey_loadsIt() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine, Mode.ENFORCE);
    now(store.put(KEY, bytes("v")));

    for (int i = 0; i < 3; i++) {
      now(store.scan(0, 10));
    }
    long before = engine.gets.get();
    read(store, 5);

    assertThat(engine.gets.get() - before).isZero();
  }

  private GuardedStore store(TestEngine engine, Mode mode) {
    return store(engine, mode, false);
  }

  private GuardedStore store(TestEngine engine, Mode mode, boolean shared) {
    StoreOptions options =
        StoreOptions.of("hot")
            .with((StoreOptions.Filter) null)
            .with(
                new StoreOptions.HotReads(mode, 3, Duration.ofSeconds(15), Duration.ofSeconds(1)));
    return GuardedStore.over(engine)
        .options(shared ? options.withSharedWriters() : options)
        .ticker(ticker::nanos)
        .withoutUpkeep()
        .build();
  }

  private GuardedStore store(TestEngine engine, long threshold, Duration cooldown) {
    return GuardedStore.over(engine)
        .options(
            StoreOptions.of("hot")
                .with((StoreOptions.Filter) null)
                .with(
                    new StoreOptions.HotReads(
                        Mode.ENFORCE, threshold, cooldown, Duration.ofSeconds(1))))
        .ticker(ticker::nanos)
        .withoutUpkeep()
        .build();
  }

  private static void read(GuardedStore store, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(text(store.get(KEY))).isNotNull();
    }
  }

  private static void open(TestEngine engine) {
    CompletableFuture<Void> gate = engine.gate;
    if (gate != null) {
      gate.complete(null);
    }
  }

  private static @Nullable String text(CompletionStage<@Nullable Value> stage) {
    Value value = stage.toCompletableFuture().join();
    return value == null ? null : value.text();
  }
}
