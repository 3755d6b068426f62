package io.heatshield.bench.failover;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import io.heatshield.testkit.redis.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shield, with hot reads from memory, and the limits with counters in the same Redis and {@code
 * on_failure: closed}.
 */
final class HeatshieldContestant implements Contestant {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HeatshieldServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private HeatshieldContestant(HeatshieldServer server) {
    this.server = server;
  }

  /**
   * Starts the server.
   *
   * @param limit the limit of each counter
   */
  static HeatshieldContestant start(URI redis, long limit) throws IOException, StartException {
    Path state = Files.createTempDirectory("heatshield-bench-");
    Path rules = Files.createDirectories(state.resolve("limits"));
    Files.writeString(
        rules.resolve("bench.yaml"),
        "domain: bench\ndescriptors:\n  - key: client\n    rate_limit: { unit: day,"
            + " requests_per_unit: "
            + limit
            + " }\n");
    String yaml =
        "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
            + state
            + "' }\nredis: { url: '"
            + redis
            + "', timeout: 500ms, on_failure: closed }\nlimits: { backend: redis, config: '"
            + rules
            + "' }\nshield: { url: '"
            + redis
            + "', write_limit: { mode: 'off' }, hot_reads: { mode: enforce, threshold: 2,"
            + " max_stale: 1s } }\n";
    var loader = new ConfigLoader(Map.of());
    LoadResult result = loader.load("bench", yaml.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return new HeatshieldContestant(HeatshieldServer.start(loader, valid.configuration(), null));
    }
    throw new IllegalStateException(result.toString());
  }

  @Override
  public String name() {
    return "Heatshield";
  }

  @Override
  public Session open() {
    return new Through();
  }

  @Override
  public void close() {
    server.stop(PATIENCE);
  }

  /** A plain connection to the shield, opened again after every failure. */
  private final class Through implements Session {
    private @Nullable RespConnection connection;

    @Override
    public void add(String set, String member) {
      command("SADD", set, member);
    }

    @Override
    public void set(String key, String value) {
      command("SET", key, value);
    }

    @Override
    public @Nullable String get(String key) {
      String value = command("GET", key);
      return value.equals("(nil)") ? null : value;
    }

    @Override
    public boolean pass(String key, long limit) {
      String question =
          "{\"domain\":\"bench\",\"descriptors\":[{\"entries\":[{\"key\":\"client\",\"value\":\""
              + key
              + "\"}]}]}";
      HttpRequest request =
          HttpRequest.newBuilder(server.http().resolve("json"))
              .timeout(PATIENCE)
              .POST(HttpRequest.BodyPublishers.ofString(question))
              .build();
      try {
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }

    @Override
    public void close() {
      RespConnection present = connection;
      connection = null;
      try {
        if (present != null) {
          present.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private String command(String name, String... words) {
      try {
        RespConnection present = connection;
        if (present == null) {
          present = RespConnection.open("127.0.0.1", server.resp().port(), PATIENCE);
          connection = present;
        }
        return present.command(name, words);
      } catch (IOException | RuntimeException e) {
        close();
        throw new IllegalStateException(e);
      }
    }
  }
}
