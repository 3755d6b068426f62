package io.heatshield.data.store;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.server.StartException;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores of every engine, opened from a file and asked over HTTP and the data port. */
class ServerStoresIT {
  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void stores_ofEveryEngine_areOpenedListedAndAsked() throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      try (TestServer server =
          start(
              "redis: { url: '"
                  + redis.uri()
                  + "', timeout: 2s }\n"
                  + "stores:\n"
                  + "  - { name: here, engine: memory, max_memory: 8MiB }\n"
                  + "  - { name: disk, engine: rocksdb, max_memory: 32MiB, path: '"
                  + folder.resolve("disk")
                  + "' }\n"
                  + "  - { name: far, engine: redis, writers: shared, max_memory: 8MiB }\n")) {
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
    try (TestServer first = start(text)) {
      assertThat(first.status("readyz")).isEqualTo(200);
      assertThatThrownBy(() -> start("state of the second", text))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("stores[disk]")
          .hasMessageContaining("in use");
    }
  }

  @Test
  void store_withADamagedManifest_isNotOpenedUnlessItIsSalvaged() throws Exception {
    String text = "stores:\n  - { name: disk, engine: rocksdb, max_memory: 32MiB, path: '";
    text += folder.resolve("disk") + "'";
    String refusing = text + " }\n";
    String salvaging = text + ", recover: salvage }\n";
    start(refusing).close();
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
    TestServer salvaged = start(salvaging);

    assertThat(get(salvaged, "stores")).contains("\"writable\":true", "\"damage\":\"\"");
    salvaged.close();
  }

  private TestServer start(String stores) throws IOException, StartException {
    return start("state", stores);
  }

  private TestServer start(String state, String stores) throws IOException, StartException {
    return TestServer.start(
        Files.writeString(
            folder.resolve(state + ".yaml"), TestServer.section(folder.resolve(state)) + stores));
  }

  private static String filter(TestServer server, String store) {
    return get(server, "stores/" + store + "/filter");
  }

  private static String get(TestServer server, String path) {
    return server.get("api/v1/" + path);
  }

  private static int status(TestServer server, String path) {
    return server.status("api/v1/" + path);
  }
}
