package io.heatshield.cli;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.Configuration;
import io.heatshield.runtime.log.Logging;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One life of a server inside a command: it starts, something goes on beside it, and it stops. */
final class ServerRun {
  /** How long the process may take to end after a signal. */
  static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

  /** The part of that for the end of the JVM, which takes long on a busy machine. */
  private static final Duration EXIT = Duration.ofSeconds(1);

  private ServerRun() {}

  /** What goes on while the server runs; its end is the server's. */
  interface Beside {
    void go(HeatshieldServer server) throws InterruptedException;
  }

  /**
   * Runs a server and returns the command's exit code.
   *
   * @param file the file that the configuration came from, or null
   * @param banner prints what people read first; on a terminal the log begins after it
   * @throws CannotRunException if the server cannot start
   */
  static int of(
      ConfigLoader loader,
      Configuration configuration,
      @Nullable Path file,
      Consumer<HeatshieldServer> banner,
      Beside beside)
      throws InterruptedException {
    Logging.hold();
    try {
      HeatshieldServer server = start(loader, configuration, file);
      boolean inTime;
      try {
        banner.accept(server);
        Logging.release();
        beside.go(server);
      } finally {
        inTime = server.stop(STOP_DEADLINE.minus(EXIT));
      }
      return inTime ? ExitCode.FINE : ExitCode.CANNOT_RUN;
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
