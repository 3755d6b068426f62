package io.heatshield.server;

import static io.heatshield.server.TestServer.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.runtime.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatshieldServerIT {
  private static final String TOKEN = "0123456789abcdef-token";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private @Nullable HeatshieldServer server;
  private String anyPort = "";

  @BeforeEach
  void describe() throws IOException {
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    anyPort =
        String.format(
            Locale.ROOT,
            "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '%s', admin_token_file: '%s' }\n",
            folder.resolve("state"),
            token);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(Duration.ofSeconds(5));
    }
  }

  @Test
  void start_defaults_answersEveryBuiltInQuestion() throws Exception {
    HeatshieldServer started = start(anyPort);

    assertThat(get(started, "livez").body()).isEqualTo("live\n");
    assertThat(get(started, "readyz").body()).isEqualTo("ready\n");
    assertThat(get(started, "healthcheck").body()).isEqualTo("OK");
    assertThat(get(started, "metrics").body())
        .contains("heatshield_build_info{version=\"" + Version.current() + "\"} 1")
        .contains("heatshield_http_responses_total{status=\"2xx\"}");
    assertThat(get(started, "api/v1/config").body())
        .contains(
            "{\"path\":\"detect.threshold\",\"value\":\"100\",\"origin\":\"default\"}",
            "heatshield.yaml:1");
    assertThat(get(started, "api/v1/openapi.json").body())
        .contains("\"/metrics\"", "\"/api/v1/config\"", "\"/readyz\"");
    assertThat(get(started, "").body()).contains("<!doctype html>");
  }

  @Test
  void everyRoute_isInTheGuide() throws Exception {
    HeatshieldServer started = start(anyPort);
    String guide =
        Files.readString(Path.of(System.getProperty("house.root"), "docs/guide/http-api.md"));

    String described = get(started, "api/v1/openapi.json").body();

    List<String> paths =
        Pattern.compile("\"(/[^\"]*)\":\\{\"(get|patch|post|put|delete)\"")
            .matcher(described)
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(paths).contains("/api/v1/config", "/metrics").allMatch(guide::contains);
  }

  @Test
  void everyRoute_hasAnOperationIdOfItsOwnAndASchemaOfItsSuccess() throws Exception {
    HeatshieldServer started = start(anyPort);

    String described = get(started, "api/v1/openapi.json").body();

    List<String> ids =
        Pattern.compile("\"operationId\":\"([A-Za-z]+)\"")
            .matcher(described)
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(ids).contains("getHot", "patchConfig").doesNotHaveDuplicates();
    assertThat(described).doesNotContain("\"application/json\":{}", "\"schema\":{}");
  }

  @Test
  void start_portTaken_namesTheSettingToChange() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String yaml =
          "server:\n  http: 127.0.0.1:"
              + taken.getLocalPort()
              + "\n  state_dir: "
              + folder.resolve("state");

      assertThatThrownBy(() -> start(yaml))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("server.http (" + folder.resolve("heatshield.yaml") + ":2)")
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageEndingWith("stop the other process, or give server.http another port");
    }
  }

  @Test
  void http_everyAddress_isShownAsConfigured() throws Exception {
    String open = anyPort.replace("http: '127.0.0.1:0'", "http: '0.0.0.0:0'");

    HeatshieldServer started = start(open);

    assertThat(started.http().getHost()).isEqualTo("0.0.0.0");
    assertThat(started.http().getPort()).isPositive();
  }

  @Test
  void reload_validFile_isAppliedCompletelyAndCounted() throws Exception {
    HeatshieldServer started = start(anyPort);

    save(anyPort + "detect: { window: 30s }\n");

    await(
        () -> started.configuration().settings().detect().window().equals(Duration.ofSeconds(30)));
    assertThat(get(started, "metrics").body()).contains("heatshield_config_reloads_total 1.0");
  }

  @Test
  void reload_brokenFile_keepsTheOldSettingsAndIsCounted() throws Exception {
    HeatshieldServer started = start(anyPort + "detect: { window: 30s }\n");

    save(anyPort + "detect: { window: 10s, treshold: 5 }\n");

    await(() -> metric(started, "heatshield_config_reloads_refused_total 1.0"));
    assertThat(started.configuration().settings().detect().window())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void stop_calledTwice_closesThePortOnce() throws Exception {
    HeatshieldServer started = start(anyPort);
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
  void summary_ofTablesAndStores_namesThem() throws Exception {
    HeatshieldServer started =
        start(anyPort + "stores: [{ name: users }]\ntables: [{ name: clients }]\n");

    assertThat(started.summary())
        .anyMatch(line -> line.contains("clients, 50000 slots, fed by remote_address"))
        .anyMatch(line -> line.matches(" *store +users, memory"))
        .anyMatch(line -> line.matches(" *resp +127.0.0.1:[0-9]+ +plaintext, no users"));
  }

  @Test
  void hotKey_touched_isListedExplainedAndStreamed() throws Exception {
    HeatshieldServer started = start(anyPort + "detect: { window: 1s, threshold: 100 }\n");
    HotKeyDetector detector = started.scopes().open("demo");
    HttpResponse<Stream<String>> events =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(started.http().resolve("api/v1/events")).build(),
                HttpResponse.BodyHandlers.ofLines());
    String nasty = "<img src=x onerror=alert(1)>\r\n\u202e";

    for (int i = 0; i < 1000; i++) {
      detector.touch(nasty);
    }

    String shown = "\\u003cimg src=x onerror=alert(1)\\u003e\\\\x0d\\\\x0a\\\\xe2\\\\x80\\\\xae";
    Iterator<String> lines =
        events
            .body()
            .filter(line -> line.startsWith("event:") || line.startsWith("data:"))
            .iterator();
    assertThat(lines.next()).isEqualTo("event: hot");
    assertThat(lines.next()).contains("\"key\":\"" + shown + "\"", "\"scope\":\"demo\"");
    assertThat(get(started, "api/v1/hot?scope=demo&n=1").body())
        .contains("\"key\":\"" + shown + "\"", "\"state\":\"hot\"", "\"estimate\":1000");
    String path = URLEncoder.encode(nasty, UTF_8).replace("+", "%20");
    assertThat(get(started, "api/v1/keys/" + path + "?scope=demo").body())
        .contains("\"estimate\":1000", "\"guaranteed\":999", "\"since\":\"2");
    assertThat(get(started, "api/v1/scopes").body()).contains("\"scope\":\"demo\"");
    assertThat(get(started, "api/v1/hot?scope=nowhere").statusCode()).isEqualTo(404);
    assertThat(get(started, "api/v1/savings").body())
        .contains("{\"name\":\"absence\",\"scope\":\"main\",\"mode\":\"enforce\",\"applied\":0");
  }

  @Test
  void hotPrefix_ofCoolKeys_isListedWhenPrefixesAreOn() throws Exception {
    HeatshieldServer started =
        start(anyPort + "detect: { window: 1s, threshold: 100, prefixes: true }\n");
    HotKeyDetector detector = started.scopes().open("demo");

    for (int i = 0; i < 1000; i++) {
      detector.touch("cart:" + i);
    }

    assertThat(get(started, "api/v1/hot?scope=demo").body())
        .contains("\"hot\":0", "\"prefixes\":[{\"prefix\":\"cart:\"", "\"unexplained\":1000");
  }

  @Test
  void patchConfig_withToken_changesTheThresholdLiveAndTheFileWinsWhenSaved() throws Exception {
    HeatshieldServer started = start(anyPort);
    HotKeyDetector detector = started.scopes().open("demo");

    HttpResponse<String> changed =
        patch(started, "{\"detect.threshold\": 7, \"detect\": {\"window\": \"5s\"}}", TOKEN);

    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.body())
        .contains("{\"path\":\"detect.threshold\",\"value\":\"7\",\"origin\":\"live\"}");
    assertThat(detector.settings().threshold()).isEqualTo(7);
    assertThat(detector.settings().window()).isEqualTo(Duration.ofSeconds(5));
    save(anyPort + "detect: { threshold: 9 }\n");
    await(() -> detector.settings().threshold() == 9);
  }

  @Test
  void patchConfig_refused_changesNothing() throws Exception {
    HeatshieldServer started = start(anyPort);

    HttpResponse<String> faulty =
        patch(
            started,
            "{\"detect.threshold\": 7, \"detect.widht\": 1, \"server.http\": \"x\"}",
            TOKEN);

    assertThat(faulty.statusCode()).isEqualTo(400);
    assertThat(faulty.body()).contains("did you mean width?", "cannot be changed");
    assertThat(patch(started, "[1]", TOKEN).statusCode()).isEqualTo(400);
    assertThat(patch(started, "{}", TOKEN).statusCode()).isEqualTo(400);
    assertThat(patch(started, "{\"detect.threshold\": 7}", "wrong token, wrong").statusCode())
        .isEqualTo(403);
    assertThat(patch(started, "{\"detect.threshold\": 7}", null).statusCode()).isEqualTo(401);
    assertThat(started.configuration().settings().detect().threshold()).isEqualTo(100);
  }

  @Test
  void get_byHostName_isAnsweredOnlyIfTheNameIsConfigured() throws Exception {
    HeatshieldServer started =
        start(anyPort.replace("server: {", "server: { hosts: [heat.example],"));

    assertThat(statusLine(started, "heat.example:8080")).startsWith("HTTP/1.1 200 ");
    assertThat(statusLine(started, "HEAT.example")).startsWith("HTTP/1.1 200 ");
    assertThat(statusLine(started, "cold.example")).startsWith("HTTP/1.1 403 ");
  }

  private static String statusLine(HeatshieldServer server, String host) throws IOException {
    try (var socket = new Socket(server.http().getHost(), server.http().getPort())) {
      socket
          .getOutputStream()
          .write(("GET /livez HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readNBytes(16), UTF_8);
    }
  }

  private static HttpResponse<String> patch(
      HeatshieldServer server, String body, @Nullable String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.http().resolve("api/v1/config"))
            .method("PATCH", HttpRequest.BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HeatshieldServer start(String yaml) throws Exception {
    HeatshieldServer started = TestServer.start(save(yaml)).server();
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
}
