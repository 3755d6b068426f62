package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.net.FreePort;
import io.heatshield.testkit.net.TlsRelay;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose Redis is behind sentinels, or behind TLS with a user of few rights. */
@Timeout(180)
class RedisWaysIT {
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Process> processes = new ArrayList<>();

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
  void stop() throws InterruptedException {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void questions_whenSentinelsMakeTheReplicaMaster_areCountedThere() throws Exception {
    try (RedisFixture master = RedisFixture.start();
        RedisFixture replica = RedisFixture.start("replicaof 127.0.0.1 " + master.port())) {
      int sentinel = sentinel(master.port());
      awaitTrue(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
      URI server = serve("redis-sentinel://127.0.0.1:" + sentinel + "#main", List.of());
      awaitTrue(() -> ask(server).contains("OK") && !ask(server).contains("degraded"));
      assertThat(master.command("DBSIZE")).isEqualTo("1");

      master.kill();

      awaitTrue(() -> replica.command("ROLE").contains("master"));
      awaitTrue(() -> !ask(server).contains("degraded"));
      assertThat(replica.command("DBSIZE")).isEqualTo("1");
    }
  }

  @Test
  void questions_overTlsByAUserOfFewRights_areCounted() throws Exception {
    try (RedisFixture redis =
            RedisFixture.start(
                "requirepass all",
                "user limiter on >few ~hs{}* resetchannels -@all +ping +evalsha +script|load +set"
                    + " +get +incrby +client|setname");
        TlsRelay relay = TlsRelay.start(folder, redis.port())) {
      URI server =
          serve(
              "rediss://limiter:few@127.0.0.1:" + relay.port(),
              List.of(
                  "-Djavax.net.ssl.trustStore=" + relay.trustStore(),
                  "-Djavax.net.ssl.trustStorePassword=" + TlsRelay.PASSWORD));

      awaitTrue(() -> ask(server).contains("OK") && !ask(server).contains("degraded"));

      assertThat(redis.command("DBSIZE")).isEqualTo("1");
      assertThat(redis.command("ACL", "LOG")).doesNotContain("limiter");
      assertThat(redis.command("CLIENT", "LIST")).contains("name=heatshield-limits:");
      assertThat(Files.readString(folder.resolve("server.out"))).doesNotContain("few");
    }
  }

  private int sentinel(int master) throws IOException {
    int port = FreePort.find();
    Path file =
        Files.writeString(
            folder.resolve("sentinel.conf"),
            "port "
                + port
                + "\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 "
                + master
                + " 1\nsentinel down-after-milliseconds main 1000\n"
                + "sentinel failover-timeout main 5000\n");
    processes.add(
        new ProcessBuilder(RedisFixture.program().toString(), file.toString(), "--sentinel")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sentinel.out").toFile())
            .start());
    return port;
  }

  private URI serve(String redis, List<String> options) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("server.yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: ./state }\n"
                + "redis: { url: '"
                + redis
                + "', timeout: 2s }\n"
                + "limits: { backend: redis, config: ./limits, hot_keys: { threshold: 2, mode: enforce } }\n");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Heatshield.class.getName(),
            "serve",
            "--config",
            file.toString()));
    Path out = folder.resolve("server.out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    processes.add(process);
    while (true) {
      String text = Files.readString(out);
      Matcher address = ADDRESS.matcher(text);
      if (address.find()) {
        return URI.create(address.group());
      }
      assertThat(process.isAlive()).as(text).isTrue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private String ask(URI server) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(server.resolve("json"))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}"))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static void awaitTrue(Condition condition) throws Exception {
    while (!condition.holds()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }
}
