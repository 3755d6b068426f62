package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RespConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three real processes on a real cluster of three masters. */
@Timeout(240)
class FleetProcessesIT {
  private static final int TOUCHES = 220;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<HeatshieldProcess> processes = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @AfterEach
  void stop() {
    processes.forEach(HeatshieldProcess::close);
  }

  @Tag("thorough")
  @Test
  void hot_keyThatNoProcessFindsAlone_isFoundTogetherAndAKilledOneIsNamed() throws Exception {
    try (RedisClusterFixture cluster = RedisClusterFixture.start()) {
      cluster.awaitUp();
      for (int i = 0; i < 3; i++) {
        processes.add(serve(i, cluster.uri()));
      }
      List<HeatshieldProcess> servers = processes;
      for (HeatshieldProcess server : servers) {
        server.awaitListening();
      }

      for (HeatshieldProcess server : servers) {
        touch(server);
      }
      for (HeatshieldProcess server : servers) {
        await(() -> hot(server, true), answer -> answer.contains("\"estimate\":660"));
      }
      List<String> alone = servers.stream().map(server -> hot(server, false)).toList();
      String whole = hot(servers.get(2), true);
      String said = await(() -> ask(servers.get(0)), answer -> answer.contains("3 of 3 nodes"));
      servers.get(1).kill();
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

  private static void touch(HeatshieldProcess server) throws IOException {
    try (RespConnection resp = server.connect()) {
      for (int i = 0; i < TOUCHES; i++) {
        resp.command("GET", "shared");
      }
    }
  }

  private static String ask(HeatshieldProcess server) {
    return Invocation.of("hot", "--fleet", "--url", server.http().toString()).out();
  }

  private String hot(HeatshieldProcess server, boolean fleet) {
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

  private HeatshieldProcess serve(int number, URI redis) throws IOException {
    return HeatshieldProcess.serve(
            folder,
            Integer.toString(number),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir:"
                + " './state"
                + number
                + "' }\nredis: { url: '"
                + redis
                + "', timeout: 2s }\nfleet: { name: prod, node: node-"
                + number
                + " }\ndetect: { threshold: 1, window: 10m }\n")
        .in(folder, Integer.toString(number));
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
