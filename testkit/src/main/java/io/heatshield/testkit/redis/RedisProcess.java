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
 * The redis-server process of one folder, which can be started again and never outlives the JVM.
 *
 * <p>The caller serialises all calls; only the shutdown hook calls it from another thread.
 */
final class RedisProcess {
  private static final long STOP_SECONDS = 10;
  private static final int LOG_LINES = 12;

  private static final Set<RedisProcess> LIVE = ConcurrentHashMap.newKeySet();
  private static volatile boolean jvmShutsDown;

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  jvmShutsDown = true;
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

  /** Starts the program with a configuration and additional command-line options. */
  void start(Path binary, List<String> configuration, String... options) throws IOException {
    Path file = folder.resolve("redis.conf");
    Files.write(file, configuration, StandardCharsets.UTF_8);
    process =
        new ProcessBuilder(command(binary, file, options))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
    if (jvmShutsDown) {
      destroy();
    }
  }

  boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  /** Returns the id of the current or last process. */
  long pid() {
    return current().pid();
  }

  /** Waits 10 ms, or until the process ends. */
  void pauseUnlessDead() throws InterruptedException {
    current().waitFor(10, TimeUnit.MILLISECONDS);
  }

  /** Sends a signal by name, through a shell because not every system has a kill program. */
  void signal(String name) {
    try {
      Process shell =
          new ProcessBuilder("sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (shell.waitFor() != 0) {
        throw new IllegalStateException(
            "could not send signal " + name + " to Redis, process " + pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending a signal to Redis", e);
    }
  }

  /**
   * Pauses the process. The signal acts asynchronously, so this waits until the process has
   * stopped, where the system has /proc; the letter after the name in brackets is the state, T for
   * stopped.
   */
  void pause() {
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
      throw new IllegalStateException("interrupted while pausing Redis", e);
    }
  }

  /** Stops the process with SIGTERM; kills it if that takes too long. */
  void stop() {
    if (isAlive()) {
      current().destroy();
      if (!waitForEnd()) {
        kill();
      }
    }
  }

  /** Kills the process and its child processes, and waits for its end. */
  void kill() {
    Process current = process;
    if (current != null) {
      List<ProcessHandle> forked = current.descendants().toList();
      current.destroyForcibly();
      forked.forEach(ProcessHandle::destroyForcibly);
      if (!waitForEnd()) {
        throw new IllegalStateException(
            "Redis did not end after SIGKILL: process " + current.pid());
      }
    }
  }

  /** Kills the process and deletes its folder; no call may follow. */
  void destroy() {
    kill();
    LIVE.remove(this);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException alreadyDeleted) {
      // The shutdown hook and close() may run at the same time.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the last lines of the process's output. */
  String log() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("redis.log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "(its log cannot be read: " + e.getMessage() + ")";
    }
  }

  private static List<String> command(Path binary, Path file, String... options) {
    var command = new ArrayList<>(List.of(binary.toString(), file.toString()));
    command.addAll(List.of(options));
    return command;
  }

  private Process current() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException("Redis was not started");
    }
    return current;
  }

  private boolean waitForEnd() {
    try {
      return current().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !isAlive();
    }
  }
}
