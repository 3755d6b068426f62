package io.heatshield.bench.store;

import io.heatshield.action.Mode;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.testkit.keys.Zipf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes of a thousand keys at a constant rate, while one more key is written as often as all of
 * them together: the latency of the others with the throttle, and without the hot key.
 */
final class HotWriter implements Figure {
  private static final int KEYS = 1000;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  @Override
  public String name() {
    return "hot-writer";
  }

  @Override
  public List<Row> measure(Scale scale, Path folder) {
    var clamped = new double[scale.rounds()];
    var alone = new double[scale.rounds()];
    var unclamped = new double[scale.rounds()];
    for (int round = 0; round < scale.rounds(); round++) {
      Path here = folder.resolve("round" + round);
      alone[round] = p99(here.resolve("alone"), Mode.ENFORCE, false, scale);
      clamped[round] = p99(here.resolve("clamped"), Mode.ENFORCE, true, scale);
      unclamped[round] = p99(here.resolve("unclamped"), Mode.OFF, true, scale);
    }
    double with = Load.median(clamped);
    double without = Load.median(alone);
    return List.of(
        Row.of(
            "p99 of the other keys' writes, us (off: no hot key)",
            with,
            without,
            "at most 1.2x",
            with <= 1.2 * without),
        Row.withoutBar("the same without the clamp", Load.median(unclamped), without));
  }

  private static double p99(Path folder, Mode mode, boolean withHotKey, Scale scale) {
    StoreOptions options =
        StoreOptions.of("clamp")
            .with((StoreOptions.Filter) null)
            .with(new StoreOptions.WriteLimit(mode, 128, 0, 2));
    var stop = new AtomicBoolean();
    try (GuardedStore store =
        GuardedStore.over(RocksEngine.open(RocksOptions.in(folder))).options(options).build()) {
      var hot =
          new Thread(
              () -> {
                while (withHotKey && !stop.get()) {
                  store.put(Zipf.key(KEYS), new byte[100]).toCompletableFuture().join();
                  LockSupport.parkNanos(PAUSE_NANOS);
                }
              });
      hot.start();
      double p99 = others(store, scale.seconds());
      stop.set(true);
      Load.join(hot);
      return p99;
    }
  }

  /** Writes other keys and returns the 99th percentile of a write in microseconds. */
  private static double others(GuardedStore store, int seconds) {
    var random = new SplittableRandom(1);
    var taken = new ArrayList<Long>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (long start = System.nanoTime(); start - end < 0; start = System.nanoTime()) {
      store.put(Zipf.key(random.nextInt(KEYS)), new byte[100]).toCompletableFuture().join();
      taken.add(System.nanoTime() - start);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return taken.stream().sorted().skip(taken.size() * 99L / 100).findFirst().orElse(0L) / 1000.0;
  }
}
