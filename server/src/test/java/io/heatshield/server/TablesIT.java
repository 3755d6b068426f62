package io.heatshield.server;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables with real ports, tested by which calls are refused. */
@Timeout(120)
class TablesIT {
  private static final String RULES =
      """
          rules:
            - { name: flood, when: { rate_above: 1/h, burst: 5 }, block_for: 1h, mode: enforce }
            - { name: scanner, when: { cardinality_above: 40 }, block_for: 1h, mode: enforce }
      """;

  private @Nullable TestServer server;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void shouldRateLimit_ofABlockedClient_isOverLimitAndCountsNothing() throws Exception {
    start(RULES);
    for (int i = 0; i < 5; i++) {
      assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OK);
    }
    assertThat(ask("10.0.0.2").getStatuses(0).getLimitRemaining()).isEqualTo(99);

    for (int i = 0; i < 50; i++) {
      RateLimitResponse answer = ask("10.0.0.1");
      assertThat(answer.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(answer.getStatuses(0).getDurationUntilReset().getSeconds())
          .isBetween(3500L, 3600L);
      assertThat(json("10.0.0.1").statusCode()).isEqualTo(429);
    }
    assertThat(send("DELETE", "api/v1/tables/clients/blocks/10.0.0.1", "").statusCode())
        .isEqualTo(204);

    // The rule of 100 per hour still knows the five calls from before the block; the table has
    // forgotten them, so five more pass before the client is blocked again.
    RateLimitResponse look = ask("10.0.0.1", 0);
    assertThat(look.getOverallCode()).isEqualTo(Code.OK);
    assertThat(look.getStatuses(0).getLimitRemaining()).isEqualTo(95);
    for (int i = 0; i < 5; i++) {
      assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OK);
    }
    assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(get("api/v1/savings"))
        .contains(
            "{\"name\":\"rule:flood\",\"scope\":\"table:clients\",\"mode\":\"enforce\","
                + "\"applied\":101,\"saved\":101,");
    assertThat(get("metrics"))
        .contains("heatshield_table_rule_applied_total{rule=\"flood\",table=\"clients\"} 101")
        .contains("heatshield_table_blocked_total{table=\"clients\"} 2")
        .contains("heatshield_table_blocks_lifted_total{table=\"clients\"} 1");
    assertThat(get("api/v1/scopes")).contains("\"scope\":\"table:clients\"");
  }

  @Test
  void touch_ofAScanner_is429WhileAReaderPasses() throws Exception {
    start(RULES.replace("burst: 5", "burst: 1000"));
    int refused = 0;

    for (int i = 0; i < 100; i++) {
      assertThat(touch("reader", "/" + (i % 3)).statusCode()).isEqualTo(200);
      refused += touch("scanner", "/" + i).statusCode() == 429 ? 1 : 0;
    }
    HttpResponse<String> answer = touch("scanner", "/");

    assertThat(refused).isBetween(40, 75);
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.body()).contains("\"blocked\":true,\"rule\":\"scanner\"");
    assertThat(get("api/v1/tables/clients/top?n=2"))
        .contains("\"clients\":[{\"key\":\"reader\"")
        .contains("\"distinct\":{\"estimate\":3,\"error\":")
        .contains("\"blocked\":[{\"key\":\"scanner\"")
        .contains("\"rule\":\"scanner\",\"seconds_left\":");
    assertThat(get("api/v1/tables"))
        .contains("{\"table\":\"clients\",\"key\":\"remote_address\",\"window_seconds\":60.0")
        .contains("\"size\":2,\"capacity\":50000,\"touches\":")
        .contains("\"rules\":[{\"rule\":\"flood\",\"mode\":\"enforce\"}");
    assertThat(get("api/v1/openapi.json")).contains("/api/v1/tables/{table}/touch", "\"429\"");
  }

  @Test
  void calls_hostile_haveDefinedOutcomes() throws Exception {
    start(RULES);

    assertThat(send("POST", "api/v1/tables/nowhere/touch", "{\"key\":\"a\"}").statusCode())
        .isEqualTo(404);
    for (String body :
        new String[] {
          "",
          "[]",
          "{}",
          "{\"key\":\"\"}",
          "{\"key\":7}",
          "{\"key\":\"a\",\"weight\":0}",
          "{\"key\":\"a\",\"weight\":-1}",
          "{\"key\":\"a\",\"weight\":1e999}",
          "{\"key\":\"a\",\"weight\":NaN}",
          "{\"key\":\"a\",\"more\":1}",
          "{\"key\":\"a\",\"key\":\"b\"}",
          "[".repeat(10_000)
        }) {
      assertThat(send("POST", "api/v1/tables/clients/touch", body).statusCode())
          .as(body)
          .isEqualTo(400);
    }
    assertThat(send("POST", "api/v1/tables/clients/touch", "x".repeat(70_000)).statusCode())
        .isEqualTo(413);
    assertThat(send("DELETE", "api/v1/tables/clients/blocks/unknown", "").statusCode())
        .isEqualTo(404);
    assertThat(status("POST", "api/v1/tables/clients/touch")).isEqualTo(401);
    assertThat(status("DELETE", "api/v1/tables/clients/blocks/a")).isEqualTo(401);
    assertThat(get("api/v1/tables/clients/top?n=0")).contains("n must be a number");
    assertThat(touchWeight("heavy", "2147483647").statusCode()).isEqualTo(429);
  }

  @Test
  void top_ofNastyKeys_isEscapedAndTheirBlocksCanBeLifted() throws Exception {
    start(RULES);
    for (NastyKey key : NastyKeys.all()) {
      String text = new String(key.bytes(), StandardCharsets.UTF_8);
      if (!text.isEmpty() && text.length() < 1_000) {
        assertThat(ask(text, 6).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(
                send(
                        "DELETE",
                        "api/v1/tables/clients/blocks/"
                            + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20"),
                        "")
                    .statusCode())
            .isEqualTo(204);
        assertThat(ask(text).getOverallCode()).isEqualTo(Code.OK);
      }
    }

    String top = get("api/v1/tables/clients/top?n=1000");

    assertThat(top).contains("key_hash").doesNotContain("<", "\n", "\u001b", "\u0000", "\u202e");
  }

  @Test
  void save_ofTheConfiguration_resizesTablesAndAFaultChangesNothing() throws Exception {
    Path file = start(RULES);
    assertThat(ask("10.0.0.1", 6).getOverallCode()).isEqualTo(Code.OVER_LIMIT);

    save(file, yaml("    slots: 700\n" + RULES));
    await(() -> get("api/v1/tables").contains("\"capacity\":700"));
    assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    save(file, yaml("    slots: 0\n" + RULES.replace("enforce", "observe")));
    await(() -> get("metrics").contains("heatshield_config_reloads_refused_total 1"));
    assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(get("api/v1/tables")).contains("\"capacity\":700");

    save(file, yaml(RULES.replace("enforce", "observe")));
    await(() -> get("api/v1/tables").contains("\"mode\":\"observe\""));
    assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OK);
    assertThat(
            send("PATCH", "api/v1/config", "{\"tables[clients].rules[flood].mode\": \"enforce\"}")
                .statusCode())
        .isEqualTo(200);
    assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void start_afterAStop_stillBlocksClients() throws Exception {
    start("    persist: true\n" + RULES);
    assertThat(ask("10.0.0.1", 6).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    stop();

    start("    persist: true\n" + RULES);

    assertThat(ask("10.0.0.1").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(ask("10.0.0.2").getOverallCode()).isEqualTo(Code.OK);
    assertThat(get("api/v1/tables/clients/top")).contains("\"key\":\"10.0.0.1\"");
  }

  private Path start(String table) throws Exception {
    Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        folder.resolve("limits/shop.yaml"),
        """
        domain: shop
        descriptors:
          - { key: remote_address, rate_limit: { unit: hour, requests_per_unit: 100 } }
        """);
    Path file = Files.writeString(folder.resolve("heatshield.yaml"), yaml(table));
    server = TestServer.start(file);
    return file;
  }

  private String yaml(String table) throws IOException {
    return TestServer.section(folder.resolve("state"), TestServer.adminToken(folder))
        + "limits: { config: '"
        + folder.resolve("limits")
        + "' }\ntables:\n  - name: clients\n    cardinality: { of: path }\n"
        + table;
  }

  private void save(Path file, String text) throws IOException {
    Path part = Files.writeString(folder.resolve("part"), text);
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private RateLimitResponse ask(String address) {
    return ask(address, 1);
  }

  private RateLimitResponse ask(String address, int hits) {
    RateLimitDescriptor.Builder descriptor =
        RateLimitDescriptor.newBuilder()
            .addEntries(
                RateLimitDescriptor.Entry.newBuilder().setKey("remote_address").setValue(address))
            .setHitsAddend(UInt64Value.of(hits));
    return RateLimitServiceGrpc.newBlockingStub(server().channel())
        .withDeadlineAfter(30, TimeUnit.SECONDS)
        .shouldRateLimit(
            RateLimitRequest.newBuilder().setDomain("shop").addDescriptors(descriptor).build());
  }

  private HttpResponse<String> json(String address) {
    return send(
        "POST",
        "json",
        "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"remote_address\",\"value\":\""
            + address
            + "\"}]}]}");
  }

  private HttpResponse<String> touch(String key, String target) {
    return send(
        "POST",
        "api/v1/tables/clients/touch",
        "{\"key\":\"" + key + "\",\"target\":\"" + target + "\"}");
  }

  private HttpResponse<String> touchWeight(String key, String weight) {
    return send(
        "POST",
        "api/v1/tables/clients/touch",
        "{\"key\":\"" + key + "\",\"weight\":" + weight + "}");
  }

  private String get(String path) {
    return send("GET", path, "").body();
  }

  private HttpResponse<String> send(String method, String path, String body) {
    return server()
        .send(request(method, path, body).header("Authorization", "Bearer " + TestServer.TOKEN));
  }

  private int status(String method, String path) {
    return server().send(request(method, path, "{}")).statusCode();
  }

  private HttpRequest.Builder request(String method, String path, String body) {
    return HttpRequest.newBuilder(server().at(path))
        .method(
            method,
            body.isEmpty()
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body));
  }

  private TestServer server() {
    return Objects.requireNonNull(server);
  }
}
