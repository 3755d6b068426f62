package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.net.FreePort;
import io.heatshield.testkit.net.TlsRelay;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisErrorReply;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RespConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shield as its users start it: a process, in front of every kind of Redis. */
@Timeout(180)
class ShieldProcessIT {
  private static final Pattern HTTP = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
  private static final Pattern RESP = Pattern.compile("resp +127\\.0\\.0\\.1:([0-9]+)");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<Process> processes = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

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
  void serveShield_inFrontOfARedis_handsOnAndExplains() throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      String out = serve("", Map.of(), List.of(), "--shield", redis.uri().toString());

      try (RespConnection client = connect(out)) {
        assertThat(client.command("SET", "greeting", "hello")).isEqualTo("OK");
        for (int i = 0; i < 200; i++) {
          assertThat(client.command("GET", "greeting")).isEqualTo("hello");
        }
        assertThat(redis.command("GET", "greeting")).isEqualTo("hello");
      }
      String url = find(HTTP, out).group();
      assertThat(run("hot", "--url", url)).contains("greeting", "shield");
      assertThat(run("explain", "greeting", "--url", url)).contains("get", "127.0.0.1");
      assertThat(run("savings", "--url", url)).contains("hot_reads");
    }
  }

  @Test
  void serveShield_inFrontOfACluster_looksLikeOneServer() throws Exception {
    try (RedisClusterFixture cluster = RedisClusterFixture.start()) {
      String out = serve("", Map.of(), List.of(), "--shield", cluster.uri().toString());

      try (RespConnection client = connect(out)) {
        assertThat(client.command("MSET", "a", "1", "b", "2", "c", "3")).isEqualTo("OK");
        assertThat(client.command("DBSIZE")).isEqualTo("3");
        assertThat(cluster.command("GET", "b")).isEqualTo("2");
      }
    }
  }

  @Test
  void serveShield_whenSentinelsMakeTheReplicaMaster_goesThere() throws Exception {
    try (RedisFixture master = RedisFixture.start();
        RedisFixture replica = RedisFixture.start("replicaof 127.0.0.1 " + master.port())) {
      int sentinel = sentinel(master.port());
      awaitTrue(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
      String out =
          serve(
              "",
              Map.of(),
              List.of(),
              "--shield",
              "redis-sentinel://127.0.0.1:" + sentinel + "#main");
      awaitTrue(() -> ask(out, "SET", "k", "1").equals("OK"));
      assertThat(master.command("GET", "k")).isEqualTo("1");

      master.kill();

      assertThat(ask(out, "SET", "k", "2")).startsWith("UNAVAILABLE ");
      awaitTrue(() -> ask(out, "SET", "k", "3").equals("OK"));
      assertThat(replica.command("GET", "k")).isEqualTo("3");
      assertThat(replica.command("ROLE")).contains("master");
    }
  }

  @Test
  void serveShield_overTlsWithUsers_letsClientsBringTheirOwn() throws Exception {
    try (RedisFixture redis =
            RedisFixture.start(
                "requirepass all",
                "user shield on >let%in resetchannels ~* &* -@all +ping +hello +command +client",
                "user shop on >shop ~* &* +@all");
        TlsRelay relay = TlsRelay.start(folder, redis.port())) {
      String out =
          serve(
              "shield: { url: 'rediss://shield:${SHIELD_PASSWORD}@127.0.0.1:"
                  + relay.port()
                  + "', hot_reads: { mode: enforce, threshold: 2 }, absence: { mode: 'off' } }\n",
              Map.of("SHIELD_PASSWORD", "let%25in"),
              List.of(
                  "-Djavax.net.ssl.trustStore=" + relay.trustStore(),
                  "-Djavax.net.ssl.trustStorePassword=" + TlsRelay.PASSWORD));
      String http = find(HTTP, out).group();
      awaitTrue(() -> run("stats", "--url", http).contains("shield"));

      assertThat(ask(out, "GET", "k")).startsWith("NOAUTH ");
      try (RespConnection client = connect(out)) {
        assertThat(client.command("AUTH", "shop", "shop")).isEqualTo("OK");
        assertThat(client.command("SET", "k", "v")).isEqualTo("OK");
        for (int i = 0; i < 20; i++) {
          assertThat(client.command("GET", "k")).isEqualTo("v");
        }
      }

      assertThat(ask(out, "GET", "k")).startsWith("NOAUTH ");
      assertThat(Files.readString(Path.of(out))).doesNotContain("let%");
      assertThat(redis.command("ACL", "LOG")).doesNotContain("shield");
    }
  }

  @Test
  void serveShield_withAPasswordOnTheCommandLine_isRefused() throws Exception {
    String said = run("serve", "--shield", "redis://user:secret@127.0.0.1:1");

    assertThat(said).contains("not taken from the command line").doesNotContain("user:secret");
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

  /** Starts a server, and returns the file of what it says once it says where it listens. */
  private String serve(
      String lines, Map<String, String> environment, List<String> options, String... more)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("server.yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: ./state }\n"
                + "detect: { window: 10s, threshold: 5 }\n"
                + lines);
    var arguments = new ArrayList<>(List.of("serve", "--config", file.toString()));
    arguments.addAll(List.of(more));
    Path out = folder.resolve("server.out");
    ProcessBuilder builder = heatshield(options, arguments).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    processes.add(process);
    while (!RESP.matcher(Files.readString(out)).find()) {
      assertThat(process.isAlive()).as(Files.readString(out)).isTrue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    return out.toString();
  }

  /** Returns what a command prints. */
  private String run(String... arguments) throws IOException, InterruptedException {
    Path out = folder.resolve("run.out");
    Process process =
        heatshield(List.of(), List.of(arguments)).redirectOutput(out.toFile()).start();
    processes.add(process);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(out);
  }

  private ProcessBuilder heatshield(List<String> options, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Heatshield.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
  }

  /** Returns the answer to one command, or the error, of a connection of its own. */
  private static String ask(String out, String name, String... words) throws IOException {
    try (RespConnection client = connect(out)) {
      return client.command(name, words);
    } catch (RedisErrorReply e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static RespConnection connect(String out) throws IOException {
    return RespConnection.open("127.0.0.1", Integer.parseInt(find(RESP, out).group(1)), PATIENCE);
  }

  private static Matcher find(Pattern pattern, String file) throws IOException {
    Matcher found = pattern.matcher(Files.readString(Path.of(file)));
    assertThat(found.find()).isTrue();
    return found;
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
