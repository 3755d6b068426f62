package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RespConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three real processes on a real cluster of three masters. */
@Timeout(240)
class FleetProcessesIT {
  private static final Pattern HTTP = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
  private static final Pattern RESP = Pattern.compile("resp +127\\.0\\.0\\.1:([0-9]+)");
  private static final int TOUCHES = 220;

  private record Server(URI http, int resp) {}

  private final HttpClient client = HttpClient.newHttpClient();
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
  void hot_keyThatNoProcessFindsAlone_isFoundTogetherAndAKilledOneIsNamed() throws Exception {
    try (RedisClusterFixture cluster = RedisClusterFixture.start()) {
      cluster.awaitUp();
      var out = new ArrayList<Path>();
      for (int i = 0; i < 3; i++) {
        out.add(serve(i, cluster.uri()));
      }
      var servers = new ArrayList<Server>();
      for (Path file : out) {
        servers.add(server(file));
      }

      for (Server server : servers) {
        touch(server);
      }
      for (Server server : servers) {
        await(() -> hot(server, true), answer -> answer.contains("\"estimate\":660"));
      }
      List<String> alone = servers.stream().map(server -> hot(server, false)).toList();
      String whole = hot(servers.get(2), true);
      String said = await(() -> ask(servers.get(0)), answer -> answer.contains("3 of 3 nodes"));
      processes.get(1).destroyForcibly().waitFor();
      String after =
          await(
              () -> hot(servers.get(2), true),
              answer -> answer.contains("\"missing\"") && !answer.contains("\"late\""));

      assertThat(alone).allMatch(answer -> answer.contains("\"hot\":0"));
      assertThat(whole).contains("\"key\":\"shared\"", "\"estimate\":660", "\"error\":2");
      assertThat(whole.split("\"estimate\":220", -1)).hasSize(4);
      assertThat(said)
          .contains("1 key is hot", "Fleet prod: 3 of 3 nodes live", "shared")
          .contains("absence saved 660 calls", "In main about 1 keys, 660 requests")
          .containsPattern("node-[012]-[0-9a-f]{6} 33 %");
      assertThat(after).containsPattern("\"node\":\"node-1-[0-9a-f]{6}\",\"state\":\"missing\"");
      assertThat(after).contains("\"estimate\":440", "\"hot\":0");
      assertThat(after.split("\"state\":\"live\"", -1)).hasSize(3);
    }
  }

  private static void touch(Server server) throws IOException {
    try (RespConnection resp =
        RespConnection.open("127.0.0.1", server.resp(), Duration.ofSeconds(20))) {
      for (int i = 0; i < TOUCHES; i++) {
        resp.command("GET", "shared");
      }
    }
  }

  private static String ask(Server server) {
    return Invocation.of("hot", "--fleet", "--url", server.http().toString()).out();
  }

  private String hot(Server server, boolean fleet) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(server.http().resolve("api/v1/hot?fleet=" + fleet)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Path serve(int number, URI redis) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve(number + ".yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir:"
                + " './state"
                + number
                + "' }\nredis: { url: '"
                + redis
                + "', timeout: 2s }\nfleet: { name: prod, node: node-"
                + number
                + " }\ndetect: { threshold: 1, window: 10m }\n");
    Path out = folder.resolve(number + ".out");
    processes.add(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Heatshield.class.getName(),
                "serve",
                "--config",
                file.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start());
    return out;
  }

  private Server server(Path out) throws IOException {
    while (true) {
      String text = Files.readString(out);
      Matcher http = HTTP.matcher(text);
      Matcher resp = RESP.matcher(text);
      if (http.find() && resp.find()) {
        return new Server(URI.create(http.group()), Integer.parseInt(resp.group(1)));
      }
      assertThat(processes).as(text).allMatch(Process::isAlive);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static String await(Supplier<String> question, Predicate<String> isThere) {
    while (true) {
      String answer = question.get();
      if (isThere.test(answer)) {
        return answer;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }
}
