package io.heatshield.testkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The redis-server program from the artifact that contains it, unpacked once per JVM. */
final class RedisBinary {
  private static final String VERSION = "7.0.15";
  private static final long TIMEOUT_SECONDS = 30;

  private static @Nullable Path unpacked;

  private RedisBinary() {}

  /** Returns the program, or skips the running test if the program cannot run on this machine. */
  static synchronized Path orSkip() {
    Path path = unpacked;
    if (path == null) {
      path = unpackOrSkip(System.getProperty("os.name"), System.getProperty("os.arch"));
      unpacked = path;
    }
    return path;
  }

  static Path unpackOrSkip(String os, String architecture) {
    String resource =
        resourceFor(os, architecture)
            .orElseGet(
                () ->
                    Assumptions.abort(
                        "skipped: there is no Redis program for " + os + " on " + architecture));
    try {
      Path path = unpack(resource);
      runVersion(path);
      return path;
    } catch (IOException e) {
      return Assumptions.abort("skipped: the Redis program cannot run here: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Assumptions.abort("skipped: interrupted while running redis-server --version");
    }
  }

  static Optional<String> resourceFor(String os, String architecture) {
    String system = os.toLowerCase(Locale.ROOT);
    String platform = system.startsWith("mac") ? "darwin" : system;
    String processor =
        switch (architecture.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          case "x86", "i386", "i486", "i586", "i686" -> "386";
          default -> "unknown";
        };
    String name = "/redis-server-" + VERSION + "-" + platform + "-" + processor;
    return RedisBinary.class.getResource(name) == null ? Optional.empty() : Optional.of(name);
  }

  private static Path unpack(String resource) throws IOException {
    Path path = Files.createTempFile("heatshield-redis-server", "");
    path.toFile().deleteOnExit();
    try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(resource + " is not on the class path");
      }
      Files.copy(in, path, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!path.toFile().setExecutable(true)) {
      throw new IOException(path + " cannot be made executable");
    }
    return path;
  }

  private static void runVersion(Path path) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(path.toString(), "--version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("redis-server --version did not end within " + TIMEOUT_SECONDS + " s");
    }
    if (process.exitValue() != 0) {
      throw new IOException("redis-server --version ended with exit code " + process.exitValue());
    }
  }
}
