package io.heatshield.cli;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.ExitCode;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.Configuration;
import io.heatshield.runtime.log.Logging;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts a server, runs a task and stops the server. */
final class ServerRun {
  /** The maximum time from a signal to the end of the process. */
  static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

  /** The part of the deadline that is reserved for the exit of the JVM. */
  private static final Duration EXIT = Duration.ofSeconds(1);

  private ServerRun() {}

  /** Runs while the server runs; the server stops when the task returns. */
  interface Task {
    void run(HeatshieldServer server) throws InterruptedException;
  }

  /**
   * Runs a server and returns the command's exit code.
   *
   * @param file the file of the configuration, or null
   * @param banner prints the start message; on a terminal the log starts after it
   * @throws CannotRunException if the server cannot start
   */
  static int of(
      ConfigLoader loader,
      Configuration configuration,
      @Nullable Path file,
      Consumer<HeatshieldServer> banner,
      Task task)
      throws InterruptedException {
    Logging.hold();
    try {
      HeatshieldServer server = start(loader, configuration, file);
      boolean inTime;
      try {
        banner.accept(server);
        Logging.release();
        task.run(server);
      } finally {
        inTime = server.stop(STOP_DEADLINE.minus(EXIT));
      }
      return inTime ? ExitCode.OK : ExitCode.CANNOT_RUN;
    } finally {
      Logging.release();
    }
  }

  private static HeatshieldServer start(
      ConfigLoader loader, Configuration configuration, @Nullable Path file) {
    try {
      return HeatshieldServer.start(loader, configuration, file);
    } catch (StartException e) {
      throw new CannotRunException(String.valueOf(e.getMessage()));
    }
  }
}
