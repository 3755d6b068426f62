package io.heatshield.server;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rate limits through the ports of a whole server, as used by clients of the Envoy service. */
@Timeout(120)
class RateLimitsIT {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private @Nullable TestServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void requests_onBothPorts_countTogetherAndAppearAsHotKeysAndMetrics() throws Exception {
    rules(2, 2);
    TestServer started = start();

    HttpResponse<String> first = json(started, body("a"));
    RateLimitResponse second = ask(started, "a");
    HttpResponse<String> third = json(started, body("a"));

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).contains("\"overallCode\":\"OK\"", "\"limitRemaining\":1");
    assertThat(second.getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
    assertThat(third.statusCode()).isEqualTo(429);
    assertThat(third.body()).contains("\"overallCode\":\"OVER_LIMIT\"");
    assertThat(started.get("api/v1/rlconfig")).contains("shop.a", "requests_per_unit=2");
    assertThat(started.get("api/v1/hot?scope=shop")).contains("\"key\":\"a=x\"");
    await(() -> started.get("metrics").contains("heatshield_limit_rule_hits_total{rule=\"shop.a"));
    assertThat(started.get("metrics"))
        .contains("heatshield_limit_answers_total{code=\"over_limit\"} 1")
        .contains("heatshield_limit_config_load_success_total 1");
    assertThat(started.get("healthcheck")).isEqualTo("OK");
    assertThat(started.server().summary()).anyMatch(line -> line.contains("grpc"));
  }

  @Test
  void json_hostileBodies_haveDefinedOutcomes() throws Exception {
    rules(2, 2);
    TestServer started = start();

    assertThat(json(started, "x".repeat(10 << 20)).statusCode()).isEqualTo(413);
    assertThat(json(started, "[".repeat(10_000)).statusCode()).isEqualTo(400);
    assertThat(json(started, "{\"domain\":NaN}").statusCode()).isEqualTo(400);
    assertThat(json(started, body("a").replace("}]", "}], \"hitsAddend\": 1e999")).body())
        .contains("hits_addend");
    assertThat(json(started, "{\"domain\":\"a\",\"domain\":\"b\"}").body())
        .contains("is duplicated");
    assertThat(json(started, "{\"domain\":\"\"}").body())
        .isEqualTo("domain: rate limit domain must not be empty\n");
    assertThat(json(started, body("a")).body()).contains("\"limitRemaining\":1");
  }

  @Test
  void json_noRoomForNewCounters_is503AndExistingOnesContinue() throws Exception {
    rules(2, 2);
    TestServer started = start("max_counters: 1");

    assertThat(json(started, body("a")).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = json(started, body("b"));

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("all 1 counters are taken");
    assertThat(json(started, body("a")).statusCode()).isEqualTo(200);
    assertThat(started.get("metrics"))
        .contains("heatshield_limit_failures_total{reason=\"unavailable\"} 1");
  }

  @Test
  void start_faultyRules_startsNothingAndNamesEveryFault() throws Exception {
    Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        folder.resolve("limits/a.yaml"),
        "domain: shop\ndescriptors:\n  - key: ''\n  - key: a\n    rate_limit: {unit: eon}\n");

    assertThatThrownBy(this::start)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("a.yaml:3")
        .hasMessageContaining("a.yaml:5");
  }

  @Test
  void save_otherRules_areAppliedAndBrokenOnesAreNot() throws Exception {
    rules(5, 5);
    TestServer started = start();
    assertThat(limit(started)).isEqualTo(5);

    rules(7, 7);
    await(() -> limit(started) == 7);
    save("domain: shop\ndescriptors: [ {");
    await(() -> started.get("metrics").contains("limit_config_load_error_total 1"));

    assertThat(limit(started)).isEqualTo(7);
  }

  @Test
  void start_withOneScopeAndASmallestRatio_limitsAndLeavesTheScopeToTheStore() throws Exception {
    rules(5, 5);

    TestServer started = start("near_limit_ratio: 1e-300 }\ndetect: { max_scopes: 1");

    assertThat(ask(started, "a").getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
    assertThat(started.get("api/v1/scopes")).contains("\"main\"").doesNotContain("\"shop\"");
  }

  @Test
  void health_rulesMustHaveADomain_followsThem() throws Exception {
    Files.createDirectories(folder.resolve("limits"));
    TestServer started = start("require_domain: true");

    assertThat(started.get("healthcheck")).isEqualTo("limits: the rules have no domain\n");
    assertThat(ask(started, "a").getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
    rules(1, 1);
    await(() -> started.get("healthcheck").equals("OK"));
    save("domain: shop\ndescriptors: [ {");
    await(() -> started.get("metrics").contains("limit_config_load_error_total 1"));
    assertThat(started.get("healthcheck")).isEqualTo("OK");

    Files.delete(folder.resolve("limits/shop.yaml"));
    await(() -> started.get("healthcheck").equals("limits: the rules have no domain\n"));
  }

  @Test
  void requests_moreDetailedNamesThanSeries_countTheRestAsOther() throws Exception {
    save(
        """
        domain: shop
        descriptors:
          - {key: a, detailed_metric: true, rate_limit: {unit: hour, requests_per_unit: 9}}
        """);
    TestServer started = start("max_counters: 10000");

    for (int i = 0; i < 1_100; i++) {
      assertThat(json(started, body("a", "v" + i)).statusCode()).isEqualTo(200);
    }

    await(() -> total(started.get("metrics"), "") == 1_100);
    String metrics = started.get("metrics");
    assertThat(total(metrics, "")).isEqualTo(1_100);
    assertThat(metrics.lines().filter(RateLimitsIT::isTotal)).hasSizeLessThanOrEqualTo(1_001);
  }

  @Test
  void requests_moreDomainsThanScopes_areAllLimitedAndSomeDetected() throws Exception {
    rules(1, 1);
    Files.writeString(
        folder.resolve("limits/zoo.yaml"),
        "domain: zoo\ndescriptors: [{key: a, rate_limit: {unit: hour, requests_per_unit: 1}}]\n");
    TestServer started = start("max_counters: 10 }\ndetect: { max_scopes: 2");
    String zoo = body("a").replace("shop", "zoo");

    assertThat(json(started, body("a")).statusCode()).isEqualTo(200);
    assertThat(json(started, zoo).statusCode()).isEqualTo(200);

    assertThat(json(started, body("a")).statusCode()).isEqualTo(429);
    assertThat(json(started, zoo).statusCode()).isEqualTo(429);
    String scopes = started.get("api/v1/scopes");
    assertThat(scopes.contains("\"shop\"") ^ scopes.contains("\"zoo\"")).as(scopes).isTrue();
  }

  private static boolean isTotal(String line) {
    return line.startsWith("heatshield_limit_rule_hits_total{");
  }

  private static long total(String metrics, String rule) {
    return metrics
        .lines()
        .filter(line -> isTotal(line) && line.contains(rule))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
        .sum();
  }

  private static int limit(TestServer started) {
    return ask(started, "a").getStatuses(0).getCurrentLimit().getRequestsPerUnit();
  }

  private void rules(int first, int second) throws IOException {
    save(
        "domain: shop\ndescriptors:\n"
            + "  - {key: a, rate_limit: {unit: hour, requests_per_unit: "
            + first
            + "}}\n"
            + "  - {key: b, rate_limit: {unit: hour, requests_per_unit: "
            + second
            + "}}\n");
  }

  private void save(String text) throws IOException {
    Files.createDirectories(folder.resolve("limits"));
    Path part = Files.writeString(folder.resolve("part"), text);
    Files.move(part, folder.resolve("limits/shop.yaml"), StandardCopyOption.REPLACE_EXISTING);
  }

  private TestServer start() throws Exception {
    return start("max_counters: 1000");
  }

  private TestServer start(String setting) throws Exception {
    TestServer started =
        TestServer.start(
            folder,
            TestServer.section(folder.resolve("state")),
            "limits: { config: '" + folder.resolve("limits") + "', " + setting + " }");
    server = started;
    return started;
  }

  private static RateLimitResponse ask(TestServer started, String... keys) {
    RateLimitRequest.Builder question = RateLimitRequest.newBuilder().setDomain("shop");
    for (String key : keys) {
      question.addDescriptors(
          RateLimitDescriptor.newBuilder()
              .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue("x")));
    }
    return RateLimitServiceGrpc.newBlockingStub(started.channel())
        .withDeadlineAfter(30, TimeUnit.SECONDS)
        .shouldRateLimit(question.build());
  }

  private static HttpResponse<String> json(TestServer started, String body) {
    return started.post("json", body);
  }

  private static String body(String key) {
    return body(key, "x");
  }

  private static String body(String key, String value) {
    return "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\""
        + key
        + "\",\"value\":\""
        + value
        + "\"}]}]}";
  }
}
