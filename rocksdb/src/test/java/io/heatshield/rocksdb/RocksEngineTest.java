package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.contract.EngineContract;
import io.heatshield.contract.TextStore;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.RingShape;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksEngineTest extends EngineContract {
  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Override
  protected Engine engine() {
    return RocksEngine.open(RocksOptions.in(folder.resolve("contract")));
  }

  @Override
  protected Optional<Engine> reopen() {
    return Optional.of(engine());
  }

  @Test
  void open_again_hasAllKeysInTheirColumnFamilies() {
    RocksOptions options = RocksOptions.in(folder.resolve("again"));
    long sequence;
    try (RocksEngine engine = RocksEngine.open(options)) {
      put(engine, "cold", Value.of("c"), false);
      put(engine, "hot", Value.of((byte) 7, bytes("h"), 5000), true);
      sequence = engine.sequence();
    }

    try (RocksEngine engine = RocksEngine.open(options)) {
      assertThat(get(engine, "cold")).isEqualTo(Value.of("c"));
      assertThat(get(engine, "hot")).isEqualTo(Value.of((byte) 7, bytes("h"), 5000));
      assertThat(engine.routedKeys(10)).containsExactly(bytes("hot"));
      assertThat(engine.sequence()).isEqualTo(sequence);
      assertThat(engine.expired(4999, 10)).isEmpty();
      assertThat(engine.expired(5000, 10)).containsExactly(bytes("hot"));
    }
  }

  @Test
  void open_withOtherRanges_findsEveryHotKey() {
    RocksOptions options = RocksOptions.in(folder.resolve("ranges"));
    try (RocksEngine engine = RocksEngine.open(options)) {
      for (int i = 0; i < 100; i++) {
        put(engine, "k" + i, Value.of("v" + i), true);
      }
    }

    try (RocksEngine engine = RocksEngine.open(options.spreadOver(7))) {
      assertThat(engine.routedKeys(10)).isEmpty();
      assertThat(get(engine, "k42")).isEqualTo(Value.of("v42"));
      assertThat(engine.size().toCompletableFuture().join()).isEqualTo(100);
    }
  }

  @Test
  void apply_ofAKeyThatTurnsHotAndCool_keepsItInOneColumnFamily() {
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(folder.resolve("sides")))) {
      put(engine, "k", Value.of("1"), false);
      put(engine, "k", Value.of("2"), true);
      long sizeHot = engine.size().toCompletableFuture().join();
      put(engine, "k", Value.of("3"), false);
      List<byte[]> apart = engine.routedKeys(10);
      engine.unroute(bytes("k"));

      assertThat(sizeHot).isEqualTo(1);
      assertThat(apart).containsExactly(bytes("k"));
      assertThat(engine.routedKeys(10)).isEmpty();
      assertThat(get(engine, "k")).isEqualTo(Value.of("3"));
      assertThat(engine.size().toCompletableFuture().join()).isEqualTo(1);
      assertThat(engine.moves()).isEqualTo(2);
    }
  }

  @Test
  void get_whileTheKeyMoves_alwaysFindsIt() throws InterruptedException {
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(folder.resolve("moving")))) {
      put(engine, "k", Value.of("v"), false);
      var lost = new AtomicLong();
      var stop = new AtomicBoolean();
      var reader =
          new Thread(
              () -> {
                while (!stop.get()) {
                  if (get(engine, "k") == null) {
                    lost.incrementAndGet();
                  }
                }
              });
      reader.start();

      for (int i = 0; i < 3000; i++) {
        put(engine, "k", Value.of("v"), true);
        engine.unroute(bytes("k"));
      }
      stop.set(true);
      reader.join();

      assertThat(lost).hasValue(0);
      assertThat(engine.moves()).isEqualTo(6000);
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void apply_ofAPromotedKeyAndKeysToRead_terminates() {
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(folder.resolve("batch")))) {
      put(engine, "ends", Value.of("v").until(5000), false);
      put(engine, "held", Value.of("v").until(6000), false);

      List<Batch.Change> changes =
          List.of(
              KeyRouting.change(bytes("first"), Value.of("1"), true),
              KeyRouting.change(bytes("absent"), Value.of("2"), false),
              KeyRouting.change(bytes("gone"), null, false),
              KeyRouting.change(bytes("held"), Value.of("3"), true),
              KeyRouting.change(bytes("last"), Value.of("4"), true));
      engine.apply(new Batch(changes, List.of())).toCompletableFuture().join();

      assertThat(engine.moves()).isEqualTo(3);
      assertThat(get(engine, "first")).isEqualTo(Value.of("1"));
      assertThat(get(engine, "absent")).isEqualTo(Value.of("2"));
      assertThat(get(engine, "held")).isEqualTo(Value.of("3"));
      assertThat(engine.expired(7000, 10)).containsExactly(bytes("ends"));
    }
  }

  @Test
  void scan_whileKeysMove_returnsEachOnce() {
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(folder.resolve("scan")))) {
      for (int i = 0; i < 50; i++) {
        put(engine, "k" + i, Value.of("v"), i % 2 == 0);
      }
      Set<String> seen = new HashSet<>();
      long cursor = 0;
      int returned = 0;
      do {
        var page = engine.scan(cursor, 5).toCompletableFuture().join();
        for (var found : page.keys()) {
          seen.add(new String(found.key(), StandardCharsets.UTF_8));
          returned++;
        }
        cursor = page.cursor();
        for (int i = 0; i < 50; i++) {
          put(engine, "k" + i, Value.of("v"), true);
          engine.unroute(bytes("k" + (49 - i)));
        }
      } while (cursor != 0);

      assertThat(seen).hasSize(50);
      assertThat(returned).isEqualTo(50);
    }
  }

  @Test
  void scan_withAnUnknownCursor_fails() {
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(folder.resolve("cursor")))) {
      assertThat(engine.scan(99, 5).toCompletableFuture()).isCompletedExceptionally();
    }
  }

  @Test
  void store_withEveryMechanism_routesHotKeysAndFindsThem() {
    var ticker = new FakeTicker();
    var engine = RocksEngine.open(RocksOptions.in(folder.resolve("routed")));
    try (GuardedStore store =
        GuardedStore.over(engine)
            .options(
                StoreOptions.of("routed")
                    .with(new StoreOptions.Routing(Mode.ENFORCE, 3, 4, RingShape.routing())))
            .ticker(ticker::nanos)
            .withoutUpkeep()
            .build()) {
      for (int i = 0; i < 5; i++) {
        TextStore.now(store.put(bytes("hot"), bytes("v" + i)));
        TextStore.now(store.put(bytes("cold" + i), bytes("v")));
      }
      long moved = store.stats().routingMoves();
      ticker.advance(Duration.ofSeconds(10));
      store.maintain();

      assertThat(moved).isEqualTo(1);
      assertThat(store.stats().routingMoves()).isEqualTo(2);
      assertThat(engine.routedKeys(10)).isEmpty();
      assertThat(TextStore.now(store.get(bytes("hot"))).text()).isEqualTo("v4");
    }
  }

  @Test
  void open_ofAFolderInUse_failsWithTheReason() {
    RocksOptions options = RocksOptions.in(folder.resolve("locked"));
    try (RocksEngine first = RocksEngine.open(options)) {
      assertThatThrownBy(() -> RocksEngine.open(options))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.REFUSED))
          .hasMessageContaining("in use");
      assertThat(get(first, "k")).isNull();
    }
  }

  @Test
  void open_withoutWritePermission_failsWithTheReason() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> RocksEngine.open(RocksOptions.in(file.resolve("below"))))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.REFUSED));
  }

  @Test
  void failure_ofAFullDisk_isADiskFailureAndChangesNothing() {
    var none =
        new RocksDBException(
            "No space left on device",
            new Status(Status.Code.IOError, Status.SubCode.NoSpace, null));

    assertThat(RocksFailure.of(folder, none).reason()).isEqualTo(StoreException.Reason.DISK);
  }

  @Test
  void everyCall_afterClose_failsAndDoesNotCrash() {
    RocksEngine engine = RocksEngine.open(RocksOptions.in(folder.resolve("closed")));
    engine.close();
    engine.close();

    assertThat(engine.get(bytes("k")).toCompletableFuture()).isCompletedExceptionally();
    assertThat(engine.apply(Batch.of(bytes("k"), null)).toCompletableFuture())
        .isCompletedExceptionally();
    assertThatThrownBy(() -> engine.expired(0, 1)).isInstanceOf(StoreException.class);
  }

  private static void put(RocksEngine engine, String key, Value value, boolean hot) {
    engine
        .apply(new Batch(List.of(KeyRouting.change(bytes(key), value, hot)), List.of()))
        .toCompletableFuture()
        .join();
  }

  private static @Nullable Value get(RocksEngine engine, String key) {
    return engine.get(bytes(key)).toCompletableFuture().join();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
