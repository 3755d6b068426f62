package io.heatshield.bench.store;

import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.redis.RedisEngine;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Reads with a Zipf(1.2) distribution on a Redis that other clients may write to. */
final class HotReadsOfRedis implements Figure {
  private static final int KEYS = 100_000;
  private static final int THREADS = 8;

  @Override
  public String name() {
    return "hot-reads";
  }

  @Override
  public List<Row> measure(Scale scale, Path folder) {
    var on = new double[scale.rounds()];
    var off = new double[scale.rounds()];
    var onP99 = new double[scale.rounds()];
    var offP99 = new double[scale.rounds()];
    double saved;
    try (RedisFixture redis = RedisFixture.start();
        GuardedStore guarded = open(redis, StoreOptions.of("on").with((StoreOptions.Filter) null));
        GuardedStore plain = open(redis, StoreOptions.of("off").unguarded())) {
      for (int i = 0; i < KEYS; i++) {
        plain.put(Zipf.key(i), new byte[100]).toCompletableFuture().join();
      }
      read(guarded, Duration.ofSeconds(1));
      long reads = 0;
      long calls = guarded.stats().engineCalls();
      for (int round = 0; round < scale.rounds(); round++) {
        Load.Result without = read(plain, scale.round());
        Load.Result with = read(guarded, scale.round());
        off[round] = without.perSecond();
        on[round] = with.perSecond();
        offP99[round] = without.p99Micros();
        onP99[round] = with.p99Micros();
        reads += (long) (with.perSecond() * scale.seconds());
      }
      saved = 100.0 * (reads - (guarded.stats().engineCalls() - calls)) / Math.max(1, reads);
    }
    return List.of(
        Row.of("Redis calls saved, %", saved, 0, "at least 50", saved >= 50),
        Row.withoutBar("reads per second", Load.median(on), Load.median(off)),
        Row.of(
            "p99 of a read, us",
            Load.median(onP99),
            Load.median(offP99),
            "at most off",
            Load.median(onP99) <= Load.median(offP99)));
  }

  private static Load.Result read(GuardedStore store, Duration time) {
    var seed = new AtomicLong(1);
    return Load.run(
        THREADS,
        time,
        () -> {
          var zipf = new Zipf(KEYS, 1.2, seed.getAndIncrement());
          return () -> store.get(Zipf.key(zipf.next() - 1)).toCompletableFuture().join();
        });
  }

  private static GuardedStore open(RedisFixture redis, StoreOptions options) {
    Redis client =
        Redis.builder(RedisUrl.parse(redis.uri().toString())).budget(Duration.ofSeconds(5)).open();
    client.awaitUp(Duration.ofSeconds(20));
    return GuardedStore.over(new RedisEngine(client, true, ""))
        .options(options.withSharedWriters())
        .build();
  }
}
