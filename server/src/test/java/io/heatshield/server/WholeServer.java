package io.heatshield.server;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;

/** A server with every part on, a Redis behind it, and a hot key in the scope {@code shop}. */
public final class WholeServer implements AutoCloseable {
  /** The admin token. */
  public static final String TOKEN = "0123456789abcdef-token";

  private final RedisFixture redis;
  private final HeatshieldServer server;

  private WholeServer(RedisFixture redis, HeatshieldServer server) {
    this.redis = redis;
    this.server = server;
  }

  /**
   * Starts one.
   *
   * @param folder where its files go
   * @param more lines of its configuration
   */
  public static WholeServer start(Path folder, String... more) throws Exception {
    RedisFixture redis = RedisFixture.start();
    try {
      return new WholeServer(redis, serve(folder, redis.port(), String.join("\n", more)));
    } catch (Exception e) {
      redis.close();
      throw e;
    }
  }

  private static HeatshieldServer serve(Path folder, int redisPort, String more) throws Exception {
    Path rules = Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        rules.resolve("web.yaml"),
        """
        domain: web
        descriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 9 } }]
        """);
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            String.join(
                "\n",
                "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0',"
                    + " state_dir: '"
                    + folder.resolve("state")
                    + "', admin_token_file: '"
                    + token
                    + "' }",
                "redis: { url: 'redis://127.0.0.1:" + redisPort + "', timeout: 1s }",
                "limits: { backend: redis, config: '" + rules + "', hot_keys: { mode: enforce } }",
                "tables: [{ name: clients, rules: [{ name: flood, when: { rate_above: 500 } }] }]",
                "webhook: { url: 'http://127.0.0.1:9/hook' }",
                "fleet: { name: prod }",
                more,
                ""));
    var loader = new ConfigLoader(Map.of());
    if (!(loader.load(file) instanceof LoadResult.Valid valid)) {
      throw new IllegalArgumentException("the configuration must be valid: " + file);
    }
    HeatshieldServer server = HeatshieldServer.start(loader, valid.configuration(), file);
    HotKeyDetector shop = server.scopes().open("shop");
    for (int i = 0; i < 7_000; i++) {
      shop.touch("hot");
    }
    return server;
  }

  /** Returns the server. */
  public HeatshieldServer server() {
    return server;
  }

  /** Returns the address of a path. */
  public URI at(String path) {
    return server.http().resolve(path);
  }

  /** Returns the body of a path. */
  public String get(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(at(path)).build(),
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
        .body();
  }

  @Override
  public void close() {
    server.stop(Duration.ofSeconds(5));
    redis.close();
  }
}
