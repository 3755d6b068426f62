package io.heatshield.server;

import io.heatshield.testkit.redis.RedisFixture;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server with every part on, a Redis behind it, and a hot key in the scope {@code shop}. */
public final class WholeServer implements AutoCloseable {
  /** The admin token. */
  public static final String TOKEN = TestServer.TOKEN;

  private final RedisFixture redis;
  private final TestServer server;

  private WholeServer(RedisFixture redis, TestServer server) {
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

  private static TestServer serve(Path folder, int redisPort, String more) throws Exception {
    Path rules = Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        rules.resolve("web.yaml"),
        """
        domain: web
        descriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 9 } }]
        """);
    TestServer server =
        TestServer.start(
            folder,
            TestServer.section(folder.resolve("state"), TestServer.adminToken(folder)),
            "redis: { url: 'redis://127.0.0.1:" + redisPort + "', timeout: 1s }",
            "limits: { backend: redis, config: '" + rules + "', hot_keys: { mode: enforce } }",
            "tables: [{ name: clients, rules: [{ name: flood, when: { rate_above: 500 } }] }]",
            "webhook: { url: 'http://127.0.0.1:9/hook' }",
            "fleet: { name: prod }",
            more);
    server.heat("shop", "hot");
    return server;
  }

  /** Returns the server. */
  public HeatshieldServer server() {
    return server.server();
  }

  /** Returns the address of a path. */
  public URI at(String path) {
    return server.at(path);
  }

  /** Returns the body of a path. */
  public String get(String path) {
    return server.get(path);
  }

  @Override
  public void close() {
    server.close();
    redis.close();
  }
}
