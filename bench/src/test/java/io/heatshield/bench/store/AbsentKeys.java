package io.heatshield.bench.store;

import io.heatshield.action.Mode;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.keys.Zipf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Lookups of which nine in ten are for absent keys, on disk, with a block cache of 5 % of the data:
 * the guard's filter compared with RocksDB's own Bloom filter of 10 bits.
 */
final class AbsentKeys implements Figure {
  private static final int VALUE_BYTES = 100;
  private static final int BATCH = 1000;
  private static final int THREADS = 2;

  @Override
  public String name() {
    return "absent";
  }

  @Override
  public List<Row> measure(Scale scale, Path folder) {
    Path plain = folder.resolve("plain");
    fill(RocksOptions.in(folder.resolve("bloom")).bloom(10), scale.keys());
    fill(RocksOptions.in(plain), scale.keys());
    long cache = Math.max(1 << 20, Folders.bytes(plain) / 20);
    var on = new double[scale.rounds()];
    var off = new double[scale.rounds()];
    double saved = 0;
    try (GuardedStore guarded =
            open(RocksOptions.in(plain).blockCache(cache), filtered(scale.keys()));
        GuardedStore bloom =
            open(
                RocksOptions.in(folder.resolve("bloom")).bloom(10).blockCache(cache),
                StoreOptions.of("off").unguarded())) {
      guarded.maintain();
      for (int round = 0; round < scale.rounds(); round++) {
        off[round] = Load.run(THREADS, scale.round(), reader(bloom, scale)).perSecond();
        on[round] = Load.run(THREADS, scale.round(), reader(guarded, scale)).perSecond();
      }
      long answered = guarded.stats().absentAnswers();
      saved = 100.0 * answered / Math.max(1, answered + guarded.stats().falsePositives());
    }
    double ratio = Load.median(on) / Load.median(off);
    return List.of(
        Row.of("absent keys kept from the engine, %", saved, 0, "at least 99.8", saved >= 99.8),
        Row.of(
            "lookups per second (off: RocksDB with its own Bloom filter)",
            Load.median(on),
            Load.median(off),
            "at least 2x",
            ratio >= 2));
  }

  static void fill(RocksOptions options, int keys) {
    try (RocksEngine engine = RocksEngine.open(options)) {
      var random = new SplittableRandom(1);
      for (int from = 0; from < keys; from += BATCH) {
        var changes = new ArrayList<Batch.Change>(BATCH);
        for (int i = from; i < Math.min(keys, from + BATCH); i++) {
          var value = new byte[VALUE_BYTES];
          random.nextBytes(value);
          changes.add(Batch.Change.of(present(i), Value.of(value)));
        }
        engine.apply(new Batch(changes, List.of())).toCompletableFuture().join();
      }
      engine.compact();
    }
  }

  /** Returns a present key; its successor is absent and lies between two present keys. */
  static byte[] present(int number) {
    return Zipf.key(2L * number);
  }

  private static GuardedStore open(RocksOptions engine, StoreOptions options) {
    return GuardedStore.over(RocksEngine.open(engine)).options(options).withoutUpkeep().build();
  }

  private static StoreOptions filtered(int keys) {
    return StoreOptions.of("on")
        .unguarded()
        .with(StoreOptions.Filter.of(Mode.ENFORCE, keys + (keys / 8)));
  }

  private static Supplier<Runnable> reader(GuardedStore store, Scale scale) {
    return () -> {
      var random = new SplittableRandom(Thread.currentThread().getId());
      return () -> {
        byte[] key = present(random.nextInt(scale.keys()));
        if (random.nextInt(10) != 0) {
          key[key.length - 1]++;
        }
        store.get(key).toCompletableFuture().join();
      };
    };
  }
}
