package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores of every engine, opened from a file and asked over HTTP and the data door. */
class ServerStoresIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void stores_ofEveryEngine_areOpenedListedAndAsked() throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      HeatshieldServer server =
          HeatshieldServer.start(
              new ConfigLoader(Map.of()),
              configuration(
                  "redis: { url: '"
                      + redis.uri()
                      + "', timeout: 2s }\n"
                      + "stores:\n"
                      + "  - { name: here, engine: memory, max_memory: 8MiB }\n"
                      + "  - { name: disk, engine: rocksdb, max_memory: 32MiB, path: '"
                      + folder.resolve("disk")
                      + "' }\n"
                      + "  - { name: far, engine: redis, writers: shared, max_memory: 8MiB }\n"),
              null);
      try {
        for (String store : new String[] {"here", "disk", "far"}) {
          await(() -> filter(server, store).contains("\"trusted\":true"));
          assertThat(get(server, "stores/" + store + "/filter/check/a%0Ab"))
              .contains("\"filter_says\":false", "\"actually_exists\":false")
              .contains("\"false_positive\":false", "a\\\\x0ab");
        }
        String list = get(server, "stores");

        assertThat(list)
            .contains("\"engine\":\"memory\"", "\"engine\":\"rocksdb\"", "\"engine\":\"redis\"")
            .contains("\"hot.read_keys\"", "\"write.hot_key_limited\"", "Write.HotKeyThrottled 0");
        assertThat(filter(server, "far")).contains("\"mode\":\"observe\"");
        assertThat(status(server, "stores/none/filter")).isEqualTo(404);
        assertThat(get(server, "scopes")).contains("\"here\"", "\"disk\"", "\"far\"");
      } finally {
        server.stop(PATIENCE);
      }
      assertThat(Files.exists(folder.resolve("disk.filter"))).isTrue();
    }
  }

  @Test
  void start_withAFolderInUse_namesTheStore() throws Exception {
    String text =
        "stores:\n  - { name: disk, engine: rocksdb, max_memory: 32MiB, path: '"
            + folder.resolve("disk")
            + "' }\n";
    HeatshieldServer first =
        HeatshieldServer.start(new ConfigLoader(Map.of()), configuration(text), null);
    try {
      Configuration second = configuration("state of the second", text);
      assertThatThrownBy(() -> HeatshieldServer.start(new ConfigLoader(Map.of()), second, null))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("stores[disk]")
          .hasMessageContaining("in use");
    } finally {
      first.stop(PATIENCE);
    }
  }

  @Test
  void store_withADamagedManifest_isNotOpenedUnlessItIsSalvaged() throws Exception {
    String text = "stores:\n  - { name: disk, engine: rocksdb, max_memory: 32MiB, path: '";
    text += folder.resolve("disk") + "'";
    String refusing = text + " }\n";
    String salvaging = text + ", recover: salvage }\n";
    start(refusing).stop(PATIENCE);
    Path manifest;
    try (var files = Files.newDirectoryStream(folder.resolve("disk"), "MANIFEST-??????")) {
      manifest = files.iterator().next();
    }
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(manifest, bytes);

    assertThatThrownBy(() -> start(refusing))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("stores[disk]: " + manifest + " is damaged")
        .hasMessageContaining("recover: salvage");
    HeatshieldServer salvaged = start(salvaging);

    assertThat(get(salvaged, "stores")).contains("\"writable\":true", "\"damage\":\"\"");
    salvaged.stop(PATIENCE);
  }

  private HeatshieldServer start(String stores) throws StartException {
    return HeatshieldServer.start(new ConfigLoader(Map.of()), configuration(stores), null);
  }

  private Configuration configuration(String stores) {
    return configuration("state", stores);
  }

  private Configuration configuration(String state, String stores) {
    String text =
        "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
            + folder.resolve(state)
            + "' }\n"
            + stores;
    LoadResult result =
        new ConfigLoader(Map.of()).load("heatshield.yaml", text.getBytes(StandardCharsets.UTF_8));
    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    return ((LoadResult.Valid) result).configuration();
  }

  private static String filter(HeatshieldServer server, String store) {
    return get(server, "stores/" + store + "/filter");
  }

  private static String get(HeatshieldServer server, String path) {
    return answer(server, path).body();
  }

  private static int status(HeatshieldServer server, String path) {
    return answer(server, path).statusCode();
  }

  private static HttpResponse<String> answer(HeatshieldServer server, String path) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(server.http().resolve("/api/v1/" + path)).build(),
              HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("patience").isNegative();
      LockSupport.parkNanos(10_000_000);
    }
  }
}
