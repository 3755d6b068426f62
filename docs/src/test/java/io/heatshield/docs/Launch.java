package io.heatshield.docs;

import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** The environment for commands of documents: free ports, and the Maven repository of the build. */
final class Launch {
  static final Map<String, String> ENVIRONMENT =
      Map.of(
          "HEATSHIELD_MAVEN_OPTS",
          "-Dmaven.repo.local=" + System.getProperty("maven.repo.local", ""),
          "HOST",
          "127.0.0.1",
          "PORT",
          "0",
          "GRPC_PORT",
          "0");

  private static @Nullable String tools;

  private Launch() {}

  /** Returns a folder with the redis-server of the tests, or an empty string if there is none. */
  static synchronized String tools() {
    String folder = tools;
    if (folder == null) {
      try {
        Path made = Files.createTempDirectory("heatshield-tools");
        made.toFile().deleteOnExit();
        Path link = Files.createSymbolicLink(made.resolve("redis-server"), RedisFixture.program());
        link.toFile().deleteOnExit();
        folder = made.toString();
      } catch (IOException | TestAbortedException none) {
        folder = "";
      }
      tools = folder;
    }
    return folder;
  }
}
