package io.heatshield.cli;

import io.heatshield.cli.replay.NotATraceException;
import io.heatshield.cli.replay.ShownProgress;
import io.heatshield.cli.replay.TraceArguments;
import io.heatshield.cli.replay.WholeFile;
import io.heatshield.config.value.DurationText;
import io.heatshield.detect.DetectorSettings;
import io.heatshield.hash.HashSecret;
import io.heatshield.replay.Replay;
import io.heatshield.replay.ReplayJson;
import io.heatshield.replay.ReplayPage;
import io.heatshield.replay.ReplayReport;
import io.heatshield.replay.ReplayText;
import io.heatshield.replay.trace.Trace;
import io.heatshield.time.Ticker;
import java.io.IOException;
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

/** The {@code replay} command: runs a trace through the detector and compares with exact truth. */
@Command(
    name = "replay",
    description = {
      "Runs a recorded trace through the detector, by the trace's own time, beside exact counts,"
          + " and says which keys were hot, whether and when they were found, and how far estimates"
          + " were off."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield replay keys.txt.gz --rate 2000          one key a line, no times",
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
      description = "Requests/s that make a key hot, ${DEFAULT-VALUE} if not given.")
  private long threshold;

  @Option(
      names = "--window",
      paramLabel = "T",
      defaultValue = "60s",
      description = "The window, ${DEFAULT-VALUE} if not given; at most 1h.")
  private String window;

  @Option(
      names = "--panes",
      paramLabel = "N",
      defaultValue = "4",
      description = "The parts of a window, ${DEFAULT-VALUE} if not given.")
  private int panes;

  @Option(
      names = "--width",
      paramLabel = "N",
      defaultValue = "1024",
      description = "The counters in a row of the sketch, ${DEFAULT-VALUE} if not given.")
  private int width;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "4",
      description = "The rows of the sketch, ${DEFAULT-VALUE} if not given.")
  private int depth;

  @Option(names = "--early", description = "Flags keys early, by the present pane.")
  private boolean early;

  @Option(
      names = "--exact-limit",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "The most distinct keys that are counted exactly, ${DEFAULT-VALUE}.")
  private int exactLimit;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many hot and top keys are listed, ${DEFAULT-VALUE} if not given.")
  private int top;

  @Option(names = "--json", description = "Prints the report as JSON.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "OUT",
      description = "Also writes the report as one page with plots.")
  private @Nullable Path html;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    ReplayReport report = run();
    PrintWriter out = spec.commandLine().getOut();
    if (html != null) {
      try {
        WholeFile.write(html, ReplayPage.of(report, trace.name(), trace.rate(), top));
      } catch (IOException e) {
        throw InputFile.failure(html, "cannot be written: " + FailureReason.of(e));
      }
    }
    if (json) {
      out.println(ReplayJson.of(report, trace.name(), trace.rate(), top));
    } else {
      ReplayText.lines(report, trace.name(), trace.rate(), top).forEach(out::println);
    }
    return ExitCode.FINE;
  }

  private ReplayReport run() {
    PrintWriter err = spec.commandLine().getErr();
    boolean terminal = Boolean.getBoolean("heatshield.stderr.tty");
    DetectorSettings settings = settings();
    try (Trace opened = trace.open();
        var progress = new ShownProgress("replay", err, terminal, Ticker.system())) {
      return Replay.run(
          opened, settings, exactLimit, top, HashSecret.random(), Ticker.system(), progress);
    } catch (NotATraceException e) {
      throw new CannotRunException(e.getMessage());
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    } catch (IOException e) {
      throw new CannotRunException(trace.name() + ": " + FailureReason.of(e));
    }
  }

  private DetectorSettings settings() {
    if (top < 0 || top > 10_000 || exactLimit < 1 || exactLimit > 100_000_000) {
      throw new ParameterException(
          spec.commandLine(),
          "--top must be 0 to 10000 and --exact-limit 1 to 100000000: " + top + ", " + exactLimit);
    }
    try {
      return DetectorSettings.builder()
          .window(DurationText.parse(window))
          .threshold(threshold)
          .panes(panes)
          .width(width)
          .depth(depth)
          .early(early)
          .stripes(1)
          .build();
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }

  private ParameterException wrong(IllegalArgumentException e) {
    return new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
  }
}
