package io.heatshield.cli;

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
      "Runs the server until SIGTERM or Ctrl-C stops it."
          + " Without a file it has safe defaults and listens on loopback."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield serve                            defaults, on http://127.0.0.1:8080",
      "  heatshield serve --config heatshield.yaml   saving the file reloads it",
      "  heatshield serve --http 9090 --resp 7000    other ports than the file's",
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
          "Stands in front of a Redis, redis://host:port: clients connect to the RESP port"
              + " instead.")
  private @Nullable String shield;

  @Spec private CommandSpec spec;

  ServeCommand(Map<String, String> environment, StopSignal signal) {
    loader = new ConfigLoader(environment).checkingFiles();
    this.signal = signal;
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    ConfigLoader base = ports.over(loader);
    ConfigLoader asked = shield == null ? base : base.withOption("--shield", "shield.url", shield);
    LoadResult result = asked.load(file == null ? null : InputFile.readable(file));
    result.warnings().forEach(warning -> err.println("warning: " + warning));
    if (result instanceof LoadResult.Valid valid) {
      return ServerRun.of(
          asked,
          valid.configuration(),
          file,
          server -> server.summary().forEach(spec.commandLine().getOut()::println),
          server -> signal.await());
    }
    if (result instanceof LoadResult.Invalid invalid) {
      invalid.faults().forEach(err::println);
    }
    err.println("heatshield: the configuration is not valid, so nothing was started");
    return ExitCode.NO;
  }
}
