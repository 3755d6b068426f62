package io.heatshield.server.fleet;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Whole servers of the fleet "prod" beside one real Redis, and what they answer. */
final class FleetServers implements AutoCloseable {
  static final String KEYS = "heatshield:fleet:prod:";

  final RedisFixture redis = RedisFixture.start();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Deque<HeatshieldServer> servers = new ArrayDeque<>();
  private final Path folder;

  FleetServers(Path folder) {
    this.folder = folder;
  }

  /**
   * Starts a server.
   *
   * @param name its node's, and that of its folder
   * @param lines what its configuration says beside addresses, Redis and fleet
   */
  HeatshieldServer serve(String name, String lines) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state-" + name)
                + "' }\nredis: { url: 'redis://127.0.0.1:"
                + redis.port()
                + "', timeout: 1s }\nfleet: { name: prod, node: '"
                + name
                + "', interval: 250ms }\n"
                + lines);
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    HeatshieldServer started = HeatshieldServer.start(loader, valid.configuration(), file);
    servers.push(started);
    return started;
  }

  void stop(HeatshieldServer server) {
    servers.remove(server);
    server.stop(Duration.ofSeconds(5));
  }

  String hot(HeatshieldServer server) {
    return get(server, "api/v1/hot?fleet=true");
  }

  String get(HeatshieldServer server, String path) {
    return ask(HttpRequest.newBuilder(server.http().resolve(path)).build());
  }

  String post(HeatshieldServer server, String path, String json) {
    return ask(
        HttpRequest.newBuilder(server.http().resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop(Duration.ofSeconds(5)));
    redis.close();
  }

  private String ask(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
