package io.heatshield.server.fleet;

import io.heatshield.server.TestServer;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Servers of the fleet "prod" and their Redis. */
final class FleetServers implements AutoCloseable {
  static final String KEYS = "heatshield:fleet:prod:";

  final RedisFixture redis = RedisFixture.start();
  private final Deque<TestServer> servers = new ArrayDeque<>();
  private final Path folder;

  FleetServers(Path folder) {
    this.folder = folder;
  }

  /**
   * Starts a server.
   *
   * @param name the name of its node and of its folder
   * @param lines the lines of its configuration, except addresses, Redis and fleet
   */
  TestServer serve(String name, String lines) throws Exception {
    return serveAlone(
        name, "fleet: { name: prod, node: '" + name + "', interval: 250ms }\n" + lines);
  }

  /** Starts a server without a fleet. */
  TestServer serveAlone(String name, String lines) throws Exception {
    TestServer started =
        TestServer.start(
            Files.writeString(
                folder.resolve(name + ".yaml"),
                TestServer.section(folder.resolve("state-" + name))
                    + "redis: { url: 'redis://127.0.0.1:"
                    + redis.port()
                    + "', timeout: 1s }\n"
                    + lines));
    servers.push(started);
    return started;
  }

  static String hot(TestServer server) {
    return server.get("api/v1/hot?fleet=true");
  }

  @Override
  public void close() {
    servers.forEach(TestServer::close);
    redis.close();
  }
}
