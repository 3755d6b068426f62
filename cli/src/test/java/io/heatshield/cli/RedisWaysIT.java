package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.net.TlsRelay;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RedisSentinelFixture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server with a Redis behind sentinels, or with TLS and a user with few rights. */
@Timeout(180)
class RedisWaysIT {
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<HeatshieldProcess> processes = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @BeforeEach
  void writeRules() throws IOException {
    Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        folder.resolve("limits/shop.yaml"),
        "domain: shop\ndescriptors:\n  - {key: a, rate_limit: {unit: day, requests_per_unit: 1000}}\n");
  }

  @AfterEach
  void stop() {
    processes.forEach(HeatshieldProcess::close);
  }

  @Tag("thorough")
  @Test
  void requests_afterAFailover_areCountedInTheNewMaster() throws Exception {
    try (RedisSentinelFixture sentinels = RedisSentinelFixture.start()) {
      RedisFixture master = sentinels.master();
      RedisFixture replica = sentinels.replica();
      URI server = serve(sentinels.uri().toString());
      Wait.until(
          "counted in Redis",
          () -> ask(server).contains("OK") && !ask(server).contains("degraded"));
      assertThat(master.command("DBSIZE")).isEqualTo("1");

      master.kill();

      Wait.until("the replica is master", () -> replica.command("ROLE").contains("master"));
      Wait.until("counted in the new master", () -> !ask(server).contains("degraded"));
      assertThat(replica.command("DBSIZE")).isEqualTo("1");
    }
  }

  @Test
  void requests_overTlsByAUserWithFewRights_areCounted() throws Exception {
    try (RedisFixture redis =
            RedisFixture.start(
                "requirepass all",
                "user limiter on >few ~hs{}* resetchannels -@all +ping +evalsha +script|load +set"
                    + " +get +incrby +client|setname");
        TlsRelay relay = TlsRelay.start(folder, redis.port())) {
      URI server =
          serve(
              "rediss://limiter:few@127.0.0.1:" + relay.port(),
              "-Djavax.net.ssl.trustStore=" + relay.trustStore(),
              "-Djavax.net.ssl.trustStorePassword=" + TlsRelay.PASSWORD);

      Wait.until(
          "counted in Redis",
          () -> ask(server).contains("OK") && !ask(server).contains("degraded"));

      assertThat(redis.command("DBSIZE")).isEqualTo("1");
      assertThat(redis.command("ACL", "LOG")).doesNotContain("limiter");
      assertThat(redis.command("CLIENT", "LIST")).contains("name=heatshield-limits:");
      assertThat(Files.readString(folder.resolve("server.out"))).doesNotContain("few");
    }
  }

  private URI serve(String redis, String... options) throws IOException {
    HeatshieldProcess process =
        HeatshieldProcess.serve(
                folder,
                "server",
                "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir:"
                    + " ./state }\nredis: { url: '"
                    + redis
                    + "', timeout: 2s }\nlimits: { backend: redis, config: ./limits,"
                    + " hot_keys: { threshold: 2, mode: enforce } }\n")
            .options(options)
            .in(folder, "server");
    processes.add(process);
    return process.awaitListening().http();
  }

  private String ask(URI server) throws IOException {
    HttpRequest question =
        HttpRequest.newBuilder(server.resolve("json"))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}"))
            .build();
    try {
      return client.send(question, HttpResponse.BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
