package io.heatshield.server.memory;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.runtime.json.JsonReader;
import io.heatshield.server.StartException;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory plan of a whole server: refused starts and reloads, and what is used. */
@Timeout(120)
class ServerMemoryIT {
  private static final String TOO_MUCH = "stores: [{ name: huge, max_memory: 10TiB }]";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void start_tooMuchMemory_isRefusedBeforeAnythingExists() {
    assertThatThrownBy(() -> TestServer.start(folder, section(), TOO_MUCH))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("the configuration needs more memory than there is")
        .hasMessageContaining("store huge: data")
        .hasMessageContaining("9.00 TiB")
        .hasMessageContaining("stores[huge].max_memory: ");

    assertThat(Files.exists(folder.resolve("state"))).isFalse();
  }

  @Test
  void reload_tooMuchMemory_isRefusedWhole() throws Exception {
    Path file = folder.resolve("heatshield.yaml");
    try (TestServer server = TestServer.start(folder, section())) {
      Files.writeString(file, section() + TOO_MUCH + "\ndetect: { threshold: 7 }\n");

      await(() -> server.metric("heatshield_config_reloads_refused") == 1);
      assertThat(server.server().configuration().settings().detect().threshold()).isEqualTo(100);
      Files.writeString(file, section() + "detect: { threshold: 8 }\n");
      await(() -> server.server().configuration().settings().detect().threshold() == 8);
    }
  }

  @Test
  void patch_tooMuchMemory_isRefused() throws Exception {
    var tables = new ArrayList<String>();
    var larger = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      tables.add("{ name: t" + i + ", slots: 100, cardinality: { bits: 64 } }");
      larger.add("\"tables[t" + i + "].slots\": 10000000");
      larger.add("\"tables[t" + i + "].cardinality.bits\": 2048");
    }
    try (TestServer server =
        TestServer.start(
            folder,
            TestServer.section(folder.resolve("state"), TestServer.adminToken(folder)),
            "tables: [" + String.join(", ", tables) + "]")) {
      HttpResponse<String> answer = patch(server, "{" + String.join(", ", larger) + "}");

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("the configuration needs", "on the heap");
      assertThat(server.server().configuration().settings().tables().get(0).slots()).isEqualTo(100);
    }
  }

  @Test
  void memory_ofARunningServer_isPlannedAndUsed() throws Exception {
    try (TestServer server =
        TestServer.start(
            folder,
            section(),
            "stores: [{ name: users, max_memory: 16MiB }]",
            "tables: [{ name: clients, slots: 100 }]")) {
      try (RawResp client = server.connect()) {
        client.send("SET", "key", "x".repeat(10_000));
        client.reply();
      }

      byte[] json = server.get("api/v1/memory").getBytes(StandardCharsets.UTF_8);
      var memory = (Map<?, ?>) Objects.requireNonNull(JsonReader.read(json));

      assertThat(part(memory, "store users", "data"))
          .containsEntry("area", "heap")
          .containsEntry("setting", "stores[users].max_memory")
          .satisfies(part -> assertThat(number(part, "used")).isBetween(10_000L, 20_000L))
          .satisfies(part -> assertThat(number(part, "planned")).isBetween(14L << 20, 16L << 20));
      assertThat(number(part(memory, "detect", "detectors"), "used"))
          .isEqualTo(number(part(memory, "detect", "detectors"), "planned"));
      assertThat(part(memory, "history", "rates, charts and incidents"))
          .containsEntry("used", null);
      for (String area : new String[] {"heap", "direct", "total"}) {
        var use = (Map<?, ?>) Objects.requireNonNull(memory.get(area));
        assertThat(number(use, "planned")).as(area).isPositive();
        assertThat(number(use, "max")).as(area).isPositive();
      }
      assertThat(server.get("metrics"))
          .contains("heatshield_memory_planned_bytes{owner=\"store users\",part=\"data\"}")
          .contains("heatshield_memory_used_bytes{owner=\"store users\",part=\"data\"}")
          .contains("heatshield_memory_limit_bytes{area=\"heap\"}");
      assertThat(server.server().summary()).anyMatch(line -> line.startsWith("  memory  "));
    }
  }

  private String section() {
    return TestServer.section(folder.resolve("state"));
  }

  private static HttpResponse<String> patch(TestServer server, String json) {
    return server.send(
        HttpRequest.newBuilder(server.at("api/v1/config"))
            .header("Authorization", "Bearer " + TestServer.TOKEN)
            .method("PATCH", HttpRequest.BodyPublishers.ofString(json, StandardCharsets.UTF_8)));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(Map<?, ?> memory, String owner, String name) {
    return ((List<Map<String, Object>>) Objects.requireNonNull(memory.get("parts")))
        .stream()
            .filter(part -> owner.equals(part.get("owner")) && name.equals(part.get("name")))
            .findFirst()
            .orElseThrow();
  }

  private static long number(Map<?, ?> object, String name) {
    return ((Number) Objects.requireNonNull(object.get(name))).longValue();
  }
}
