package io.heatshield.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.Configuration;
import io.heatshield.server.config.LoadResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatshieldServerIT {
  private static final String ANY_PORT = "server: { http: '127.0.0.1:0' }\n";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private @Nullable HeatshieldServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(Duration.ofSeconds(5));
    }
  }

  @Test
  void start_defaults_answersEveryBuiltInQuestion() throws Exception {
    HeatshieldServer started = start(ANY_PORT);

    assertThat(get(started, "livez").body()).isEqualTo("live\n");
    assertThat(get(started, "readyz").body()).isEqualTo("ready\n");
    assertThat(get(started, "healthcheck").body()).isEqualTo("OK");
    assertThat(get(started, "metrics").body())
        .contains("heatshield_build_info{version=\"" + Version.current() + "\"} 1")
        .contains("heatshield_http_responses_total{status=\"2xx\"}");
    assertThat(get(started, "api/v1/config").body())
        .contains(
            "{\"path\":\"detect.window\",\"value\":\"60s\",\"origin\":\"default\"}",
            "heatshield.yaml:1");
    assertThat(get(started, "api/v1/openapi.json").body())
        .contains("\"/metrics\"", "\"/api/v1/config\"", "\"/readyz\"");
    assertThat(get(started, "").body()).contains("<!doctype html>");
  }

  @Test
  void start_portTaken_saysWhichSettingToChange() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String yaml = "server:\n  http: 127.0.0.1:" + taken.getLocalPort() + "\n";

      assertThatThrownBy(() -> start(yaml))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("server.http (" + folder.resolve("heatshield.yaml") + ":2)")
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
    }
  }

  @Test
  void reload_validFile_isTakenWholeAndCounted() throws Exception {
    HeatshieldServer started = start(ANY_PORT);

    save(ANY_PORT + "detect: { window: 30s }\n");

    await(
        () -> started.configuration().settings().detect().window().equals(Duration.ofSeconds(30)));
    assertThat(get(started, "metrics").body()).contains("heatshield_config_reloads_total 1.0");
  }

  @Test
  void reload_brokenFile_keepsTheOldSettingsAndCountsTheRefusal() throws Exception {
    HeatshieldServer started = start(ANY_PORT + "detect: { window: 30s }\n");

    save(ANY_PORT + "detect: { window: 10s, treshold: 5 }\n");

    await(() -> metric(started, "heatshield_config_reloads_refused_total 1.0"));
    assertThat(started.configuration().settings().detect().window())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void stop_running_closesTheDoorAndIsHarmlessTwice() throws Exception {
    HeatshieldServer started = start(ANY_PORT);
    URI address = started.http();

    boolean inTime = started.stop(Duration.ofSeconds(5));

    assertThat(inTime).isTrue();
    assertThat(started.stop(Duration.ofSeconds(5))).isTrue();
    assertThatThrownBy(
            () ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(address).build(),
                        HttpResponse.BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void start_configuredPartsThatAreNotServed_areNamed() throws Exception {
    HeatshieldServer started =
        start(ANY_PORT + "tables: [{ name: clients, key: remote_address }]\n");

    assertThat(started.summary()).anyMatch(line -> line.contains("table clients"));
  }

  private HeatshieldServer start(String yaml) throws Exception {
    Path file = save(yaml);
    var loader = new ConfigLoader(Map.of());
    LoadResult result = loader.load(file);
    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    Configuration configuration = ((LoadResult.Valid) result).configuration();
    HeatshieldServer started = HeatshieldServer.start(loader, configuration, file);
    server = started;
    return started;
  }

  private Path save(String yaml) throws IOException {
    return Files.write(folder.resolve("heatshield.yaml"), yaml.getBytes(UTF_8));
  }

  private static boolean metric(HeatshieldServer server, String line) {
    try {
      return get(server, "metrics").body().contains(line);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> get(HeatshieldServer server, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(server.http().resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /**
   * Waits for a condition that another thread brings about; the build's own timeout ends a wait in
   * vain.
   */
  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(10_000_000);
    }
  }
}
