package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three processes that count in one Redis. */
@Timeout(180)
class ThreeServersIT {
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
  private static final int LIMIT = 300;
  private static final int CALLS = 200;

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

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe", "enforce"})
  void questions_toThreeProcesses_admitExactlyTheLimit(String mode) throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      Files.createDirectories(folder.resolve("limits"));
      Files.writeString(
          folder.resolve("limits/shop.yaml"),
          "domain: shop\ndescriptors:\n  - {key: a, rate_limit: {unit: day, requests_per_unit: "
              + LIMIT
              + "}}\n");
      var out = new ArrayList<Path>();
      for (int i = 0; i < 3; i++) {
        out.add(serve(i, redis.port(), mode));
      }
      List<URI> servers = new ArrayList<>();
      for (Path file : out) {
        servers.add(address(file));
      }

      Map<Integer, Long> statuses = ask(servers);

      assertThat(statuses).isEqualTo(Map.of(200, (long) LIMIT, 429, 3L * CALLS - LIMIT));
    }
  }

  private Map<Integer, Long> ask(List<URI> servers) {
    var answers = new ArrayList<CompletableFuture<HttpResponse<Void>>>();
    for (int i = 0; i < CALLS; i++) {
      for (URI server : servers) {
        answers.add(
            client.sendAsync(
                HttpRequest.newBuilder(server.resolve("json"))
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}"))
                    .build(),
                HttpResponse.BodyHandlers.discarding()));
      }
    }
    return answers.stream()
        .map(CompletableFuture::join)
        .collect(Collectors.groupingBy(HttpResponse::statusCode, Collectors.counting()));
  }

  private Path serve(int number, int redisPort, String mode) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve(number + ".yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: './state"
                + number
                + "' }\nredis: { url: 'redis://127.0.0.1:"
                + redisPort
                + "', timeout: 5s, on_failure: closed }\n"
                + "limits: { backend: redis, config: ./limits, hot_keys: { threshold: 10, mode: "
                + mode
                + " } }\n");
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

  private URI address(Path out) throws IOException {
    while (true) {
      String text = Files.readString(out);
      Matcher address = ADDRESS.matcher(text);
      if (address.find()) {
        return URI.create(address.group());
      }
      assertThat(processes).as(text).allMatch(Process::isAlive);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
