package io.heatshield.cli;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.replay.AtomicFile;
import io.heatshield.cli.replay.ReplayJson;
import io.heatshield.cli.replay.TraceArguments;
import io.heatshield.config.value.DurationText;
import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.replay.Replay;
import io.heatshield.replay.ReplayPage;
import io.heatshield.replay.ReplayReport;
import io.heatshield.replay.ReplayText;
import io.heatshield.time.Ticker;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code replay} command: runs a trace through the detector and compares with exact counts. */
@Command(
    name = "replay",
    description = {
      "Runs a recorded trace through the detector, in the time of the trace, and compares the result"
          + " with exact counts: which keys were hot, whether and when they were found, and the error"
          + " of the estimates."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield replay keys.txt.gz --rate 2000          one key per line, no times",
      "  heatshield replay access.log --html report.html    an access log, with plots",
      "  redis-cli monitor | heatshield replay -            until the pipe ends"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class ReplayCommand implements Callable<Integer> {
  @Mixin private TraceArguments trace;

  @Option(
      names = "--threshold",
      paramLabel = "N",
      defaultValue = "100",
      description = "The requests/s at which a key is hot. Default: ${DEFAULT-VALUE}.")
  private long threshold;

  @Option(
      names = "--window",
      paramLabel = "T",
      defaultValue = "60s",
      description = "The window, at most 1h. Default: ${DEFAULT-VALUE}.")
  private String window;

  @Option(
      names = "--panes",
      paramLabel = "N",
      defaultValue = "4",
      description = "The panes of a window. Default: ${DEFAULT-VALUE}.")
  private int panes;

  @Option(
      names = "--width",
      paramLabel = "N",
      defaultValue = "1024",
      description = "The counters in a row of the sketch. Default: ${DEFAULT-VALUE}.")
  private int width;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "4",
      description = "The rows of the sketch. Default: ${DEFAULT-VALUE}.")
  private int depth;

  @Option(names = "--early", description = "Reports keys early, based on the current pane.")
  private boolean early;

  @Option(
      names = "--exact-limit",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "The maximum number of keys to count exactly. Default: ${DEFAULT-VALUE}.")
  private int exactLimit;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "The number of hot and top keys to list. Default: ${DEFAULT-VALUE}.")
  private int top;

  @Option(names = "--json", description = "Prints the report as JSON.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "OUT",
      description = "Also writes the report as an HTML page with charts.")
  private @Nullable Path html;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    ReplayReport report = run();
    PrintWriter out = spec.commandLine().getOut();
    if (html != null) {
      AtomicFile.write(html, ReplayPage.of(report, trace.name(), trace.rate(), top));
    }
    if (json) {
      out.println(ReplayJson.of(report, trace.name(), trace.rate(), top));
    } else {
      ReplayText.lines(report, trace.name(), trace.rate(), top).forEach(out::println);
    }
    return ExitCode.OK;
  }

  private ReplayReport run() {
    DetectorSettings settings = settings();
    return trace.read(
        "replay",
        (opened, progress) ->
            Replay.run(
                opened, settings, exactLimit, top, HashSecret.random(), Ticker.system(), progress));
  }

  private DetectorSettings settings() {
    if (top < 0 || top > 10_000 || exactLimit < 1 || exactLimit > 100_000_000) {
      throw new ParameterException(
          spec.commandLine(),
          "--top must be 0 to 10000 and --exact-limit 1 to 100000000: " + top + ", " + exactLimit);
    }
    try {
      return HotKeyDetector.builder()
          .window(DurationText.parse(window))
          .threshold(threshold)
          .panes(panes)
          .width(width)
          .depth(depth)
          .early(early)
          .stripes(1)
          .toSettings();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}
