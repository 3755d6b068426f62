package io.heatshield.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.contract.EngineContract;
import io.heatshield.contract.TextStore;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine with a prefix, in a Redis with other keys. */
@Timeout(120)
class PrefixedRedisEngineIT extends EngineContract {
  private static final String PREFIX = "a*[b]\\?:";

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
    redis.command("SET", "a stranger", "s");
    redis.command("SET", "axb?:k", "what the prefix would match as a pattern");
    return new RedisEngine(client(redis.uri().toString()), true, PREFIX);
  }

  @Override
  protected Optional<Engine> otherWriter() {
    return Optional.of(new RedisEngine(client(redis.uri().toString()), false, PREFIX));
  }

  @Test
  void clear_ofOneStore_leavesTheOthersAlone() {
    redis.command("FLUSHALL");
    redis.command("SET", "a stranger", "s");
    try (GuardedStore one = open("one:");
        GuardedStore other = open("other:")) {
      for (int i = 0; i < 2500; i++) {
        TextStore.now(one.put(bytes("k" + i), bytes("1")));
      }
      TextStore.now(other.put(bytes("k1"), bytes("2")));
      assertThat(TextStore.now(one.size())).isEqualTo(2500L);
      assertThat(redis.command("GET", "one:k7")).isEqualTo("1");

      TextStore.now(one.clear());

      assertThat(TextStore.now(one.size())).isZero();
      assertThat(TextStore.now(other.size())).isEqualTo(1L);
      assertThat(redis.command("DBSIZE")).isEqualTo("2");
    }
  }

  @Test
  void get_ofAHotKey_isInvalidatedOnlyByForeignWritesToItsPrefix() {
    redis.command("FLUSHALL");
    redis.command("SET", "hot:k", "0");
    try (GuardedStore store =
        GuardedStore.over(new RedisEngine(client(redis.uri().toString()), true, "hot:"))
            .options(StoreOptions.of("hot").withSharedWriters())
            .build()) {
      await(() -> hits(store) > 50);

      redis.command("SET", "other:k", "9");
      redis.command("SET", "hot:k", "1");

      await(() -> "1".equals(text(store)));
      assertThat(text(store)).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mine:"})
  void scan_ofACluster_returnsTheKeysOfEveryMaster(String prefix) {
    try (var cluster = RedisClusterFixture.start();
        GuardedStore store =
            GuardedStore.over(new RedisEngine(client(cluster.uri().toString()), false, prefix))
                .options(StoreOptions.of("c").unguarded())
                .build()) {
      Set<String> put = new HashSet<>();
      for (int i = 0; i < 200; i++) {
        TextStore.now(store.put(bytes("k" + i), bytes("v")));
        put.add("k" + i);
      }

      assertThat(scanned(store)).isEqualTo(put);
      assertThat(TextStore.now(store.size())).isEqualTo(200L);
      TextStore.now(store.clear());
      assertThat(scanned(store)).isEmpty();
    }
  }

  private static Set<String> scanned(GuardedStore store) {
    Set<String> keys = new HashSet<>();
    long cursor = 0;
    do {
      ScanPage page = TextStore.now(store.scan(cursor, 10));
      page.keys().forEach(found -> keys.add(new String(found.key(), StandardCharsets.UTF_8)));
      cursor = page.cursor();
    } while (cursor != 0);
    return keys;
  }

  private static GuardedStore open(String prefix) {
    return GuardedStore.over(new RedisEngine(client(redis.uri().toString()), false, prefix))
        .options(StoreOptions.of("prefixed").unguarded())
        .build();
  }

  private static Redis client(String uri) {
    Redis client = Redis.builder(RedisUrl.parse(uri)).budget(Duration.ofSeconds(5)).open();
    assertThat(client.awaitUp(Duration.ofSeconds(30))).isTrue();
    return client;
  }

  private static long hits(GuardedStore store) {
    long before = store.stats().cacheHits();
    for (int i = 0; i < 100; i++) {
      text(store);
    }
    return store.stats().cacheHits() - before;
  }

  private static String text(GuardedStore store) {
    var value = TextStore.now(store.get(bytes("k")));
    return value == null ? "" : value.text();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
