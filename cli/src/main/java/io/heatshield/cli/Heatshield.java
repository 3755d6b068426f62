package io.heatshield.cli;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.StopSignal;
import io.heatshield.cli.process.WatchedStream;
import io.heatshield.runtime.Version;
import io.heatshield.runtime.log.Logging;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The main class: runs the {@code heatshield} command and exits the process. */
@Command(
    name = "heatshield",
    description = "Protects shared stores from hot keys.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Heatshield.VersionLine.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield demo                    see it work, with traffic for one hot key",
      "  heatshield serve                   run the server with safe defaults on loopback",
      "  heatshield top                     the hottest keys of a running server, live",
      "  heatshield check heatshield.yaml   every error of a configuration, with its line",
      "  heatshield help top                the help of one command",
      "",
      "In a checkout, --rebuild builds changed sources before the command runs."
    })
public final class Heatshield {

  /** Runs the command and exits with its exit code. */
  public static void main(String[] args) {
    Logging.start();
    var stdout = new WatchedStream(new FileOutputStream(FileDescriptor.out));
    var out = new PrintWriter(new OutputStreamWriter(stdout, StandardCharsets.UTF_8), true);
    var err = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
    var signal = new StopSignal();
    var ended = new CompletableFuture<Integer>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> endAtSignal(signal, ended)));
    int code = Commands.run(out, err, System.getenv(), signal, args);
    out.flush();
    IOException fault = stdout.fault();
    if (fault != null && !isClosedPipe(fault)) {
      err.println("heatshield: cannot write its output: " + fault.getMessage());
      code = ExitCode.CANNOT_RUN;
    }
    ended.complete(code);
    System.exit(code);
  }

  /**
   * Waits for the command to stop and exits with its exit code; the JVM alone would exit with the
   * code of the signal.
   */
  private static void endAtSignal(StopSignal signal, CompletableFuture<Integer> ended) {
    Logging.release();
    if (!signal.raise()) {
      return;
    }
    int code =
        ended
            .completeOnTimeout(
                ExitCode.CANNOT_RUN, ServerRun.STOP_DEADLINE.toSeconds(), TimeUnit.SECONDS)
            .join();
    Runtime.getRuntime().halt(code);
  }

  /** Returns whether the reader closed the pipe, as in {@code heatshield --help | head -1}. */
  private static boolean isClosedPipe(IOException fault) {
    return String.valueOf(fault.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }

  static final class VersionLine implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"heatshield " + Version.current()};
    }
  }
}
