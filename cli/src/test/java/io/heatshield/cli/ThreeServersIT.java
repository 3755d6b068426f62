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
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three processes with counters in one Redis. */
@Tag("thorough")
@Timeout(180)
class ThreeServersIT {
  private static final int LIMIT = 300;
  private static final int CALLS = 200;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<HeatshieldProcess> processes = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @AfterEach
  void stop() {
    processes.forEach(HeatshieldProcess::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe", "enforce"})
  void requests_toThreeProcesses_admitExactlyTheLimit(String mode) throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      Files.createDirectories(folder.resolve("limits"));
      Files.writeString(
          folder.resolve("limits/shop.yaml"),
          "domain: shop\ndescriptors:\n  - {key: a, rate_limit: {unit: day, requests_per_unit: "
              + LIMIT
              + "}}\n");
      for (int i = 0; i < 3; i++) {
        processes.add(serve(i, redis.port(), mode));
      }
      List<URI> servers = new ArrayList<>();
      for (HeatshieldProcess process : processes) {
        servers.add(process.awaitListening().http());
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

  private HeatshieldProcess serve(int number, int redisPort, String mode) throws IOException {
    return HeatshieldProcess.serve(
            folder,
            Integer.toString(number),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir:"
                + " './state"
                + number
                + "' }\nredis: { url: 'redis://127.0.0.1:"
                + redisPort
                + "', timeout: 5s, on_failure: closed }\n"
                + "limits: { backend: redis, config: ./limits, hot_keys: { threshold: 10, mode: "
                + mode
                + " } }\n")
        .in(folder, Integer.toString(number));
  }
}
