package io.heatshield.cli;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.InputFile;
import io.heatshield.cli.process.StopSignal;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code serve} command: runs the server until a signal stops it. */
@Command(
    name = "serve",
    description = {
      "Runs the server until SIGTERM or Ctrl-C."
          + " Without a configuration, it uses safe defaults and listens on loopback only."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield serve                            defaults, on http://127.0.0.1:8080",
      "  heatshield serve --config heatshield.yaml   reloads the file when it changes",
      "  heatshield serve --http 9090 --resp 7000    overrides the ports of the file",
      "  heatshield serve --shield redis://10.0.0.5:6379"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class ServeCommand implements Callable<Integer> {
  private final ConfigLoader loader;
  private final StopSignal signal;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration, a YAML file.")
  private @Nullable Path file;

  @Mixin private PortOptions ports;

  @Option(
      names = "--shield",
      paramLabel = "URL",
      description =
          "Runs as a proxy in front of the Redis at redis://host:port; clients connect to the"
              + " --resp port.")
  private @Nullable String shield;

  @Spec private CommandSpec spec;

  ServeCommand(Map<String, String> environment, StopSignal signal) {
    loader = new ConfigLoader(environment).checkingFiles();
    this.signal = signal;
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    ConfigLoader base = ports.applyTo(loader);
    ConfigLoader withShield =
        shield == null ? base : base.withOption("--shield", "shield.url", shield);
    LoadResult result = withShield.load(file == null ? null : InputFile.readable(file));
    result.warnings().forEach(warning -> err.println("warning: " + warning));
    if (result instanceof LoadResult.Valid valid) {
      return ServerRun.of(
          withShield,
          valid.configuration(),
          file,
          server -> server.summary().forEach(spec.commandLine().getOut()::println),
          server -> signal.await());
    }
    if (result instanceof LoadResult.Invalid invalid) {
      invalid.faults().forEach(err::println);
    }
    err.println("heatshield: the configuration is not valid; the server was not started");
    return ExitCode.NEGATIVE;
  }
}
