package io.heatshield.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One redis-server process after another in one folder, none of which outlives the JVM.
 *
 * <p>The caller serialises all calls; the JVM's shutdown alone comes from another thread.
 */
final class RedisProcess {
  private static final long STOP_SECONDS = 10;
  private static final int LOG_LINES = 12;

  private static final Set<RedisProcess> LIVE = ConcurrentHashMap.newKeySet();
  private static volatile boolean jvmEnds;

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  jvmEnds = true;
                  LIVE.forEach(RedisProcess::destroy);
                },
                "redis-fixture-cleanup"));
  }

  private final Path folder;
  private volatile @Nullable Process process;

  RedisProcess(Path folder) {
    this.folder = folder;
    LIVE.add(this);
  }

  Path folder() {
    return folder;
  }

  /** Starts the program with a configuration and more options of the command line. */
  void start(Path binary, List<String> configuration, String... options) throws IOException {
    Path file = folder.resolve("redis.conf");
    Files.write(file, configuration, StandardCharsets.UTF_8);
    process =
        new ProcessBuilder(command(binary, file, options))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
    if (jvmEnds) {
      destroy();
    }
  }

  boolean isAlive() {
    Process present = process;
    return present != null && present.isAlive();
  }

  /** Returns the id of the present process. */
  long pid() {
    return present().pid();
  }

  /** Waits a little, or until the process ends. */
  void pauseUnlessDead() throws InterruptedException {
    present().waitFor(10, TimeUnit.MILLISECONDS);
  }

  /** Sends a signal by name; a shell does it, because not every system has a kill program. */
  void signal(String name) {
    try {
      Process shell =
          new ProcessBuilder("sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (shell.waitFor() != 0) {
        throw new IllegalStateException("Redis could not be sent the signal " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending a signal to Redis", e);
    }
  }

  /**
   * Freezes the process. The signal only asks for it, so its end is awaited where the system shows
   * it; the first letter behind the name in brackets is the state, T for stopped.
   */
  void freeze() {
    signal("STOP");
    Path state = Path.of("/proc", Long.toString(pid()), "stat");
    try {
      while (Files.exists(state) && !Files.readString(state).contains(") T ")) {
        pauseUnlessDead();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while freezing Redis", e);
    }
  }

  /** Ends the process as an operator would; kills it if that takes too long. */
  void stop() {
    if (isAlive()) {
      present().destroy();
      if (!waitForEnd()) {
        kill();
      }
    }
  }

  /** Kills the process and what it has forked, and waits for its end. */
  void kill() {
    Process present = process;
    if (present != null) {
      List<ProcessHandle> forked = present.descendants().toList();
      present.destroyForcibly();
      forked.forEach(ProcessHandle::destroyForcibly);
      if (!waitForEnd()) {
        throw new IllegalStateException("Redis did not die: process " + present.pid());
      }
    }
  }

  /** Kills the process and deletes its folder; the last call. */
  void destroy() {
    kill();
    LIVE.remove(this);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException alreadyDeleted) {
      // The shutdown hook and a close may meet here; either may come first.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the last lines of what the process wrote. */
  String log() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("redis.log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "(its log can not be read: " + e.getMessage() + ")";
    }
  }

  private static List<String> command(Path binary, Path file, String... options) {
    var command = new ArrayList<>(List.of(binary.toString(), file.toString()));
    command.addAll(List.of(options));
    return command;
  }

  private Process present() {
    Process present = process;
    if (present == null) {
      throw new IllegalStateException("Redis was not started");
    }
    return present;
  }

  private boolean waitForEnd() {
    try {
      return present().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !isAlive();
    }
  }
}
