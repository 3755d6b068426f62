package io.heatshield.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.ScriptedSentinel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A guarded store whose Redis becomes another one, with other data. */
@Timeout(120)
class MasterSwitchIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void get_afterTheMasterSwitched_findsKeysMissingInFilterAndMemory() {
    try (RedisFixture old = RedisFixture.start();
        RedisFixture next = RedisFixture.start();
        var sentinel = ScriptedSentinel.of(old.port());
        GuardedStore store = store(sentinel)) {
      next.command("SET", "deleted", "again");
      next.command("SET", "hot", "new");
      await(() -> get(store, "deleted") == null && store.filter().orElseThrow().complete());
      store.put(bytes("hot"), bytes("old")).toCompletableFuture().join();
      await(() -> "old".equals(get(store, "hot")) && store.stats().cacheHits() > 0);
      assertThat(get(store, "deleted")).isNull();
      assertThat(store.stats().absentAnswers()).isPositive();

      sentinel.setMaster(next.port(), 1);
      await(() -> "new".equals(get(store, "hot")));

      await(() -> "again".equals(get(store, "deleted")));
      await(() -> store.filter().orElseThrow().complete());
      assertThat(get(store, "deleted")).isEqualTo("again");
    }
  }

  private static GuardedStore store(ScriptedSentinel sentinel) {
    Redis redis =
        Redis.builder(RedisUrl.parse("redis-sentinel://127.0.0.1:" + sentinel.port() + "/main"))
            .budget(Duration.ofSeconds(5))
            .open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return GuardedStore.over(new RedisEngine(redis, false, ""))
        .options(
            StoreOptions.of("switched")
                .with(new StoreOptions.HotReads(Mode.ENFORCE, 2, HOUR, HOUR))
                .with(StoreOptions.Filter.of(Mode.ENFORCE, 10_000)))
        .build();
  }

  /** Returns the text that a key holds, null for none, or nothing if there is no answer. */
  private static @Nullable String get(GuardedStore store, String key) {
    try {
      Value value = store.get(bytes(key)).toCompletableFuture().join();
      return value == null ? null : value.text();
    } catch (CompletionException lost) {
      return "";
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("condition not met in time");
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
