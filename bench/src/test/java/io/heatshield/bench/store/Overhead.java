package io.heatshield.bench.store;

import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.Value;
import io.heatshield.store.memory.MemoryEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Nine reads of present keys per overwrite, uniformly distributed: the guard has no benefit here.
 *
 * <p>On RocksDB all three stores use one database, and so the same files and blocks. No key is new,
 * so the filters stay correct whichever store overwrites.
 */
final class Overhead implements Figure {
  private static final int MOST_KEYS = 1_000_000;
  private static final int THREADS = 2;
  private static final Duration SLICE = Duration.ofMillis(50);

  @Override
  public String name() {
    return "overhead";
  }

  @Override
  public List<Row> measure(Scale scale, Path folder) {
    int keys = Math.min(scale.keys(), MOST_KEYS);
    var rows = new ArrayList<Row>();
    RocksOptions one = RocksOptions.in(folder.resolve("one"));
    AbsentKeys.fill(one, keys);
    Engine shared = RocksEngine.open(one);
    Rates disk = rates(() -> shared, keys, scale);
    rows.add(
        Row.of(
            "calls per second, RocksDB",
            disk.on(),
            disk.off(),
            "at least 0.75x, by means of slices",
            disk.on() >= 0.75 * disk.off()));
    rows.add(Row.withoutBar("the same, of another without a guard", disk.control(), disk.off()));
    Rates memory = rates(() -> memory(keys), keys, scale);
    rows.add(Row.withoutBar("calls per second, memory", memory.on(), memory.off()));
    return rows;
  }

  /** The means of slices; the control is a second store without a guard. */
  private record Rates(double on, double off, double control) {}

  /**
   * Measures three stores in slices so short that all see the same load of the machine, in a random
   * order in each turn, so that RocksDB's background work affects all equally. A quarter as many
   * turns warm up before.
   */
  private static Rates rates(Supplier<Engine> engines, int keys, Scale scale) {
    StoreOptions off = StoreOptions.of("off").unguarded();
    try (GuardedStore with = open(engines.get(), StoreOptions.of("on"));
        GuardedStore without = open(engines.get(), off);
        GuardedStore control = open(engines.get(), off)) {
      with.maintain();
      List<GuardedStore> stores = List.of(with, without, control);
      List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
      var random = new Random(1);
      int turns = (int) (scale.rounds() * scale.round().toMillis() / SLICE.toMillis());
      var means = new double[stores.size()];
      for (int turn = -turns / 4; turn < turns; turn++) {
        Collections.shuffle(order, random);
        for (int i : order) {
          double rate = Load.run(THREADS, SLICE, mixed(stores.get(i), keys)).perSecond();
          means[i] += turn < 0 ? 0 : rate / turns;
        }
      }
      return new Rates(means[0], means[1], means[2]);
    }
  }

  private static GuardedStore open(Engine engine, StoreOptions options) {
    return GuardedStore.over(engine).options(options).build();
  }

  private static Supplier<Runnable> mixed(GuardedStore store, int keys) {
    return () -> {
      var random = new SplittableRandom(Thread.currentThread().getId());
      var value = new byte[100];
      return () -> {
        byte[] key = AbsentKeys.present(random.nextInt(keys));
        if (random.nextInt(10) == 0) {
          store.put(key, value).toCompletableFuture().join();
        } else {
          store.get(key).toCompletableFuture().join();
        }
      };
    };
  }

  private static Engine memory(int keys) {
    var engine = new MemoryEngine(1L << 32);
    for (int i = 0; i < keys; i++) {
      engine.apply(Batch.of(AbsentKeys.present(i), Value.of(new byte[100])));
    }
    return engine;
  }
}
