package io.heatshield.bench.store;

import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.Batch;
import io.heatshield.store.Engine;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.Value;
import io.heatshield.store.memory.MemoryEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Nine reads of keys that are there and one overwrite, uniformly: the guard can win nothing.
 *
 * <p>On RocksDB all three stores use one database, and so the same files and blocks. No key is new,
 * so what a filter knows stays true whoever overwrites.
 */
final class Overhead implements Figure {
  private static final int MOST_KEYS = 1_000_000;
  private static final int THREADS = 2;
  private static final Duration SLICE = Duration.ofMillis(500);

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
            "at least 0.95x, the median of rounds",
            disk.ratio() >= 0.95));
    rows.add(Row.told("the same, of another without a guard", disk.control(), disk.off()));
    Rates memory = rates(() -> memory(keys), keys, scale);
    rows.add(Row.told("calls per second, memory", memory.on(), memory.off()));
    return rows;
  }

  /** Medians of rounds; the control is a second store without a guard. */
  private record Rates(double on, double off, double control, double ratio) {}

  /**
   * Measures three stores in turns, in slices so short that all have the same machine; a first
   * round warms up.
   */
  private static Rates rates(Supplier<Engine> engines, int keys, Scale scale) {
    var rates = new double[3][scale.rounds()];
    var ratio = new double[scale.rounds()];
    StoreOptions off = StoreOptions.of("off").unguarded();
    try (GuardedStore with = open(engines.get(), StoreOptions.of("on"));
        GuardedStore without = open(engines.get(), off);
        GuardedStore control = open(engines.get(), off)) {
      with.maintain();
      List<GuardedStore> stores = List.of(with, without, control);
      for (int round = -1; round < scale.rounds(); round++) {
        var sums = new double[stores.size()];
        int slices = (int) (scale.round().toMillis() / SLICE.toMillis());
        for (int slice = 0; slice < slices * stores.size(); slice++) {
          int turn = slice % stores.size();
          int i = slice / stores.size() % 2 == 0 ? turn : stores.size() - 1 - turn;
          sums[i] += Load.run(THREADS, SLICE, mixed(stores.get(i), keys)).perSecond() / slices;
        }
        for (int i = 0; round >= 0 && i < sums.length; i++) {
          rates[i][round] = sums[i];
          ratio[round] = sums[0] / sums[1];
        }
      }
    }
    return new Rates(
        Load.median(rates[0]), Load.median(rates[1]), Load.median(rates[2]), Load.median(ratio));
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
