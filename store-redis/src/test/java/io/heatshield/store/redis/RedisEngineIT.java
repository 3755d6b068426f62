package io.heatshield.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.contract.EngineContract;
import io.heatshield.contract.TextStore;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The engine with a real Redis, alone and with other writers. */
class RedisEngineIT extends EngineContract {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static RedisFixture redis;

  @BeforeAll
  static void start() {
    redis = RedisFixture.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Override
  protected Engine engine() {
    redis.command("FLUSHALL");
    return new RedisEngine(client(redis.uri().toString()), true, "");
  }

  @Override
  protected Optional<Engine> otherWriter() {
    return Optional.of(new RedisEngine(client(redis.uri().toString()), false, ""));
  }

  @Override
  protected Optional<Engine> reopen() {
    return otherWriter();
  }

  @Test
  void put_withTtl_isAPlainStringForOthers() {
    store().put("k", "v", Duration.ofHours(1));

    assertThat(redis.command("GET", "k")).isEqualTo("v");
    assertThat(Long.parseLong(redis.command("PTTL", "k"))).isBetween(3_500_000L, 3_600_000L);
  }

  @Test
  void get_ofAnotherType_fails() {
    redis.command("RPUSH", "list", "a");
    try (var engine = new RedisEngine(client(redis.uri().toString()), false, "")) {
      assertThat(reason(engine, "list")).isEqualTo(StoreException.Reason.WRONG_TYPE);
      redis.command("SETRANGE", "large", Integer.toString(RedisEngine.MAX_VALUE), "x");
      assertThat(reason(engine, "large")).isEqualTo(StoreException.Reason.UNSUPPORTED);
      assertThat(redis.command("DEL", "large")).isEqualTo("1");
      assertThat(engine.get(bytes("large")).toCompletableFuture().join()).isNull();
    }
  }

  @Test
  void apply_whenAnotherWroteInBetween_changesNothing() {
    redis.command("SET", "a", "1");
    try (var engine = new RedisEngine(client(redis.uri().toString()), false, "")) {
      Value seen = engine.get(bytes("a")).toCompletableFuture().join();
      redis.command("SET", "a", "2");

      boolean done =
          engine
              .apply(
                  new Batch(
                      List.of(
                          Batch.Change.of(bytes("a"), Value.of("3")),
                          Batch.Change.of(bytes("b"), Value.of("3"))),
                      List.of(new Batch.Expected(bytes("a"), seen))))
              .toCompletableFuture()
              .join();

      assertThat(done).isFalse();
      assertThat(redis.command("GET", "a")).isEqualTo("2");
      assertThat(redis.command("EXISTS", "b")).isEqualTo("0");
    }
  }

  @Test
  void get_ofAHotKeyThatOthersWrite_seesEachWriteAndNeverAnOlderOneAfterIt() {
    redis.command("SET", "hot", "0");
    try (GuardedStore store = guarded(redis.uri().toString())) {
      await(() -> hits(store, "hot") > 50);

      for (int i = 1; i <= 300; i++) {
        String next = Integer.toString(i);
        redis.command("SET", "hot", next);
        await(() -> next.equals(readOrNull(store, "hot")));
        assertThat(read(store, "hot")).isEqualTo(next);
      }

      assertThat(store.stats().cacheHits()).isPositive();
    }
  }

  @Test
  void get_withoutInvalidations_readsRedisAndNotTheCache() {
    try (RedisFixture own = RedisFixture.start();
        GuardedStore store = guarded(own.uri().toString())) {
      own.command("SET", "hot", "old");
      await(() -> hits(store, "hot") > 50);

      own.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      own.command("SET", "hot", "new");
      // Until the end of the connection is noticed, max_stale alone bounds what a read may see.
      await(() -> "new".equals(readOrNull(store, "hot")));

      await(() -> hits(store, "hot") > 10);
      assertThat(read(store, "hot")).isEqualTo("new");
    }
  }

  @Test
  void get_whileRedisIsDown_failsAndRecoversLater() {
    try (RedisFixture own = RedisFixture.start("appendonly yes", "appendfsync always");
        GuardedStore store = guarded(own.uri().toString())) {
      TextStore.now(store.put(bytes("k"), bytes("v")));
      own.kill();
      await(() -> readOrNull(store, "other") == null);
      own.restart();

      await(() -> "v".equals(readOrNull(store, "k")));
    }
  }

  @Test
  void apply_inACluster_worksOnKeysOfOneSlot() {
    try (var cluster = RedisClusterFixture.start();
        var engine = new RedisEngine(client(cluster.uri().toString()), true, "");
        GuardedStore store =
            GuardedStore.over(engine).options(StoreOptions.of("c").unguarded()).build()) {
      var subject = new TextStore(store);
      for (int i = 0; i < 100; i++) {
        subject.put("k" + i, "v" + i);
      }

      assertThat(subject.getAll(List.of("k1", "k2", "none")).get(1)).contains("v2");
      assertThat(subject.putAllIfNoneExists(Map.of("{t}a", "1", "{t}b", "2"))).isTrue();
      assertThatThrownBy(() -> engine.forEachKey(key -> true)).isInstanceOf(StoreException.class);
      assertThat(engine.reportsForeignChanges()).isFalse();
    }
  }

  private static GuardedStore guarded(String uri) {
    return GuardedStore.over(new RedisEngine(client(uri), true, ""))
        .options(StoreOptions.of("guarded").withSharedWriters())
        .build();
  }

  private static Redis client(String uri) {
    Redis client = Redis.builder(RedisUrl.parse(uri)).budget(Duration.ofSeconds(2)).open();
    assertThat(client.awaitUp(PATIENCE)).isTrue();
    return client;
  }

  private static StoreException.@Nullable Reason reason(RedisEngine engine, String key) {
    try {
      TextStore.now(engine.get(bytes(key)));
      return null;
    } catch (StoreException e) {
      return e.reason();
    }
  }

  private static long hits(GuardedStore store, String key) {
    long before = store.stats().cacheHits();
    for (int i = 0; i < 100; i++) {
      readOrNull(store, key);
    }
    return store.stats().cacheHits() - before;
  }

  private static String read(GuardedStore store, String key) {
    return String.valueOf(readOrNull(store, key));
  }

  private static @Nullable String readOrNull(GuardedStore store, String key) {
    try {
      Value value = TextStore.now(store.get(bytes(key)));
      return value == null ? null : value.text();
    } catch (StoreException e) {
      return null;
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
