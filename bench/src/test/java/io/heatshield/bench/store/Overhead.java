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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Nine reads of keys that are there and one overwrite, uniformly: the guard can win nothing. */
final class Overhead implements Figure {
  private static final int MOST_KEYS = 1_000_000;
  private static final int THREADS = 2;

  @Override
  public String name() {
    return "overhead";
  }

  @Override
  public List<Row> measure(Scale scale, Path folder) {
    int keys = Math.min(scale.keys(), MOST_KEYS);
    AbsentKeys.fill(RocksOptions.in(folder.resolve("on")), keys);
    AbsentKeys.fill(RocksOptions.in(folder.resolve("off")), keys);
    var rows = new ArrayList<Row>();
    double[] disk =
        rates(
            RocksEngine.open(RocksOptions.in(folder.resolve("on"))),
            RocksEngine.open(RocksOptions.in(folder.resolve("off"))),
            keys,
            scale);
    rows.add(
        Row.of(
            "calls per second, RocksDB",
            disk[0],
            disk[1],
            "at least 0.95x",
            disk[0] >= 0.95 * disk[1]));
    double[] memory = rates(memory(keys), memory(keys), keys, scale);
    rows.add(Row.told("calls per second, memory", memory[0], memory[1]));
    return rows;
  }

  private static double[] rates(Engine guarded, Engine plain, int keys, Scale scale) {
    var on = new double[scale.rounds()];
    var off = new double[scale.rounds()];
    try (GuardedStore with = GuardedStore.over(guarded).options(StoreOptions.of("on")).build();
        GuardedStore without =
            GuardedStore.over(plain).options(StoreOptions.of("off").unguarded()).build()) {
      with.maintain();
      for (int round = 0; round < scale.rounds(); round++) {
        off[round] = Load.run(THREADS, scale.seconds(), mixed(without, keys)).perSecond();
        on[round] = Load.run(THREADS, scale.seconds(), mixed(with, keys)).perSecond();
      }
    }
    return new double[] {Load.median(on), Load.median(off)};
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
