package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.net.TlsRelay;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisErrorReply;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RedisSentinelFixture;
import io.heatshield.testkit.redis.RespConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shield as a process, in front of every kind of Redis. */
@Timeout(180)
class ShieldProcessIT {
  private final List<HeatshieldProcess> processes = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @AfterEach
  void stop() {
    processes.forEach(HeatshieldProcess::close);
  }

  @Test
  void serveShield_inFrontOfARedis_forwardsAndExplains() throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      HeatshieldProcess server = serve("", "--shield", redis.uri().toString());

      try (RespConnection client = server.connect()) {
        assertThat(client.command("SET", "greeting", "hello")).isEqualTo("OK");
        for (int i = 0; i < 200; i++) {
          assertThat(client.command("GET", "greeting")).isEqualTo("hello");
        }
        assertThat(redis.command("GET", "greeting")).isEqualTo("hello");
      }
      String url = server.http().toString();
      assertThat(run("hot", "--url", url)).contains("greeting", "shield");
      assertThat(run("explain", "greeting", "--url", url)).contains("get", "127.0.0.1");
      assertThat(run("savings", "--url", url)).contains("hot_reads");
    }
  }

  @Test
  void serveShield_inFrontOfACluster_looksLikeOneServer() throws Exception {
    try (RedisClusterFixture cluster = RedisClusterFixture.start()) {
      HeatshieldProcess server = serve("", "--shield", cluster.uri().toString());

      try (RespConnection client = server.connect()) {
        assertThat(client.command("MSET", "a", "1", "b", "2", "c", "3")).isEqualTo("OK");
        assertThat(client.command("DBSIZE")).isEqualTo("3");
        assertThat(cluster.command("GET", "b")).isEqualTo("2");
      }
    }
  }

  @Tag("thorough")
  @Test
  void serveShield_afterAFailover_usesTheNewMaster() throws Exception {
    try (RedisSentinelFixture sentinels = RedisSentinelFixture.start()) {
      RedisFixture master = sentinels.master();
      RedisFixture replica = sentinels.replica();
      HeatshieldProcess server = serve("", "--shield", sentinels.uri().toString());
      Wait.until("the write", () -> ask(server, "SET", "k", "1").equals("OK"));
      assertThat(master.command("GET", "k")).isEqualTo("1");

      master.kill();

      assertThat(ask(server, "SET", "k", "2")).startsWith("UNAVAILABLE ");
      Wait.until("the write", () -> ask(server, "SET", "k", "3").equals("OK"));
      assertThat(replica.command("GET", "k")).isEqualTo("3");
      assertThat(replica.command("ROLE")).contains("master");
    }
  }

  @Test
  void serveShield_overTlsWithUsers_forwardsTheClientsCredentials() throws Exception {
    try (RedisFixture redis =
            RedisFixture.start(
                "requirepass all",
                "user shield on >let%in resetchannels ~* &* -@all +ping +hello +command +client",
                "user shop on >shop ~* &* +@all");
        TlsRelay relay = TlsRelay.start(folder, redis.port())) {
      HeatshieldProcess server =
          start(
              configure(
                      "shield: { url: 'rediss://shield:${SHIELD_PASSWORD}@127.0.0.1:"
                          + relay.port()
                          + "', hot_reads: { mode: enforce, threshold: 2 },"
                          + " absence: { mode: 'off' } }\n")
                  .environment("SHIELD_PASSWORD", "let%25in")
                  .options(
                      "-Djavax.net.ssl.trustStore=" + relay.trustStore(),
                      "-Djavax.net.ssl.trustStorePassword=" + TlsRelay.PASSWORD));
      String http = server.http().toString();
      Wait.until("stats", () -> run("stats", "--url", http).contains("shield"));

      assertThat(ask(server, "GET", "k")).startsWith("NOAUTH ");
      try (RespConnection client = server.connect()) {
        assertThat(client.command("AUTH", "shop", "shop")).isEqualTo("OK");
        assertThat(client.command("SET", "k", "v")).isEqualTo("OK");
        for (int i = 0; i < 20; i++) {
          assertThat(client.command("GET", "k")).isEqualTo("v");
        }
      }

      assertThat(ask(server, "GET", "k")).startsWith("NOAUTH ");
      assertThat(server.output()).doesNotContain("let%");
      assertThat(redis.command("ACL", "LOG")).doesNotContain("shield");
    }
  }

  @Test
  void serveShield_withAPasswordOnTheCommandLine_isRefused() throws Exception {
    String said = run("serve", "--shield", "redis://user:secret@127.0.0.1:1");

    assertThat(said).contains("not accepted on the command line").doesNotContain("user:secret");
  }

  private HeatshieldProcess serve(String lines, String... more) throws IOException {
    return start(configure(lines, more));
  }

  private HeatshieldProcess.Start configure(String lines, String... more) throws IOException {
    return HeatshieldProcess.serve(
        folder,
        "server",
        "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir:"
            + " ./state }\ndetect: { window: 10s, threshold: 5 }\n"
            + lines,
        more);
  }

  private HeatshieldProcess start(HeatshieldProcess.Start start) throws IOException {
    HeatshieldProcess server = start.in(folder, "server");
    processes.add(server);
    return server.awaitListening();
  }

  /** Returns what a command prints. */
  private String run(String... arguments) throws IOException {
    try (HeatshieldProcess process = HeatshieldProcess.command(arguments).in(folder, "run")) {
      return process.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns the answer to one command, or the error, of a connection of its own. */
  private static String ask(HeatshieldProcess server, String name, String... words)
      throws IOException {
    try (RespConnection client = server.connect()) {
      return client.command(name, words);
    } catch (RedisErrorReply e) {
      return String.valueOf(e.getMessage());
    }
  }
}
