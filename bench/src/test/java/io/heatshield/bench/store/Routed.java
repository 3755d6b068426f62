package io.heatshield.bench.store;

import io.heatshield.action.Mode;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.RingShape;
import io.heatshield.store.StoreOptions;
import io.heatshield.testkit.keys.Zipf;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Updates with a Zipf(1.2) distribution and values of 1 KiB: the bytes that compaction writes. */
final class Routed implements Figure {
  private static final int VALUE_BYTES = 1024;
  private static final int UPDATES_PER_KEY = 4;
  private static final int MOST_KEYS = 200_000;

  @Override
  public String name() {
    return "routing";
  }

  @Override
  public List<Row> measure(Scale scale, Path folder) {
    int keys = Math.min(scale.keys(), MOST_KEYS);
    double off = rewritten(folder.resolve("off"), Mode.OFF, keys);
    double on = rewritten(folder.resolve("on"), Mode.ENFORCE, keys);
    return List.of(Row.of("MiB written by compaction", on, off, "at most 0.7x", on <= 0.7 * off));
  }

  private static double rewritten(Path folder, Mode mode, int keys) {
    StoreOptions options =
        StoreOptions.of("routing")
            .unguarded()
            .with(new StoreOptions.Routing(mode, 8, 4, RingShape.routing()));
    var engine = RocksEngine.open(RocksOptions.in(folder).writeBuffer(4 << 20).measuring());
    try (GuardedStore store = GuardedStore.over(engine).options(options).build()) {
      var random = new SplittableRandom(1);
      for (int i = 0; i < keys; i++) {
        put(store, i, random);
      }
      var zipf = new Zipf(keys, 1.2, 7);
      for (long i = 0; i < (long) keys * UPDATES_PER_KEY; i++) {
        put(store, zipf.next() - 1, random);
      }
      return engine.compactedBytes() / (double) (1 << 20);
    }
  }

  private static void put(GuardedStore store, long rank, SplittableRandom random) {
    var value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    store.put(Zipf.key(rank), value).toCompletableFuture().join();
  }
}
