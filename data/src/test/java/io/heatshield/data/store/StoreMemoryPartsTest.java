package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Savings;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.hash.HashSecret;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.engine.Value;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the memory that is computed from settings with that of stores that are open. */
class StoreMemoryPartsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_memory: 1MiB",
        "max_memory: 7MiB",
        "max_memory: 64MiB",
        "max_memory: 3GB",
        "max_memory: 64MiB, cuckoo_filter: { expected_items: 50000000 }",
        "max_memory: 64MiB, cuckoo_filter: { expected_items: 10, memory_budget_percent: 10 }",
        "max_memory: 64MiB, hot_ring: { bits: 20, node_cap: 10 }",
        "max_memory: 64MiB, hot_ring: { enabled: false }, cuckoo_filter: { enabled: false }",
        "engine: rocksdb, max_memory: 1MiB",
        "engine: rocksdb, max_memory: 256MiB",
      })
  void parts_openStore_areNeverExceeded(String settings) throws IOException {
    StoreSettings store = settings(settings);
    Map<String, Long> planned = planned(store);

    try (Opened opened = open(store)) {
      touch(opened.store, 5000);

      StoreMemoryParts.used(opened.store.stats())
          .forEach(
              (part, used) ->
                  assertThat(used).as(part).isLessThanOrEqualTo(planned.getOrDefault(part, 0L)));
    }
  }

  @Test
  void parts_fullStore_areLittleMoreThanItUses() throws IOException {
    StoreSettings store = settings("max_memory: 4MiB");
    Map<String, Long> planned = planned(store);

    try (Opened opened = open(store)) {
      touch(opened.store, 40_000);

      Map<String, Long> used = StoreMemoryParts.used(opened.store.stats());
      long most = planned.getOrDefault("data", 0L);
      assertThat(used.getOrDefault("data", 0L)).isBetween(9 * most / 10, most);
    }
  }

  @Test
  void parts_perEngine_areThoseThatItHas() {
    assertThat(planned(settings("max_memory: 1GiB"))).containsOnlyKeys("data", "filter", "rings");
    assertThat(planned(settings("engine: rocksdb, max_memory: 1GiB")))
        .containsOnlyKeys(
            "blocks of files", "write buffers", "structures", "hot values", "filter", "rings");
    assertThat(planned(settings("engine: rocksdb, routing: { mode: enforce }")))
        .containsKey("hot keys stored separately");
    assertThat(planned(settings("engine: redis")))
        .containsOnlyKeys("hot values", "filter", "rings");
  }

  private static Map<String, Long> planned(StoreSettings store) {
    return StoreMemoryParts.parts(store, store.maxMemory().bytes()).stream()
        .collect(Collectors.toMap(MemoryPart::name, MemoryPart::bytes));
  }

  private static void touch(GuardedStore store, int keys) {
    for (int i = 0; i < keys; i++) {
      byte[] key = ("key-" + i).getBytes(StandardCharsets.US_ASCII);
      // A store that is full refuses keys.
      var unused =
          store
              .put(key, Value.of(new byte[100]))
              .handle((done, full) -> done)
              .toCompletableFuture()
              .join();
    }
  }

  private StoreSettings settings(String text) {
    String path = text.contains("rocksdb") ? ", path: '" + folder.resolve("db") + "'" : "";
    String redis = "redis: { url: redis://127.0.0.1 }\n";
    String yaml = redis + "stores: [{ name: a, " + text + path + " }]";
    return all(yaml).stores().get(0);
  }

  private static Settings all(String yaml) {
    LoadResult result =
        new ConfigLoader(Map.of()).load("test", yaml.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return valid.configuration().settings();
    }
    throw new AssertionError(result);
  }

  private static Opened open(StoreSettings store) throws IOException {
    Settings defaults = all("");
    var settings =
        new Settings(
            defaults.server(),
            defaults.redis(),
            defaults.detect(),
            null,
            null,
            defaults.tables(),
            List.of(store),
            null,
            defaults.users(),
            defaults.webhook(),
            defaults.savings(),
            defaults.telemetry(),
            defaults.log());
    ServerStores stores =
        ServerStores.open(
            settings, HashSecret.random(), new Savings(), Ticker.system(), new Metrics());
    return new Opened(stores, stores.find("a").orElseThrow());
  }

  /** A store that is open. */
  private record Opened(ServerStores all, GuardedStore store) implements AutoCloseable {
    @Override
    public void close() {
      all.close(Duration.ofSeconds(10));
    }
  }
}
