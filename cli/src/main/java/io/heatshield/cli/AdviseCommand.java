package io.heatshield.cli;

import io.heatshield.cli.replay.AdviceJson;
import io.heatshield.cli.replay.NotATraceException;
import io.heatshield.cli.replay.ShownProgress;
import io.heatshield.cli.replay.TraceArguments;
import io.heatshield.cli.replay.WholeFile;
import io.heatshield.config.value.DurationText;
import io.heatshield.key.KeyText;
import io.heatshield.replay.ReplayText;
import io.heatshield.replay.advise.Advice;
import io.heatshield.replay.advise.AdviceText;
import io.heatshield.replay.advise.AdviceYaml;
import io.heatshield.replay.advise.Recording;
import io.heatshield.replay.advise.Sweep;
import io.heatshield.replay.trace.Trace;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code advise} command: tries settings on a trace and prints the one that fits. */
@Command(
    name = "advise",
    description = {
      "Tries thresholds, windows, memory and flush windows on the first half of a recorded trace,"
          + " recommends one of each with the expected savings, and checks the prediction on the"
          + " second half.",
      "Exit code 1 means that there is nothing to advise."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield advise keys.txt.xz --rate 2000",
      "  heatshield advise monitor.log --max-wait 1ms --output heatshield.yaml",
      "  heatshield check heatshield.yaml"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class AdviseCommand implements Callable<Integer> {
  @Mixin private TraceArguments trace;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "10000000",
      description = "At most this many requests of the trace, ${DEFAULT-VALUE} if not given.")
  private int requests;

  /** Takes the name that this option had first. */
  @Option(names = "--touches", hidden = true)
  void setTouches(int touches) {
    requests = touches;
  }

  @Option(
      names = "--max-wait",
      paramLabel = "T",
      defaultValue = "10ms",
      description = "The longest that a call for a hot key may wait, ${DEFAULT-VALUE}.")
  private String maxWait;

  @Option(
      names = "--output",
      paramLabel = "OUT",
      description = "Writes the configuration to a file, which must not be there yet.")
  private @Nullable Path output;

  @Option(
      names = "--limits",
      paramLabel = "FOLDER",
      description = "Also configures rate limits, with the rules of this folder.")
  private @Nullable Path limits;

  @Option(names = "--json", description = "Prints the advice as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    long wait = maxWaitNanos();
    if (output != null && Files.exists(output)) {
      throw new CannotRunException(KeyText.of(output.toString()) + " is there already");
    }
    Recording recording = record();
    if (json) {
      return programs(recording, wait, out);
    }
    out.println(
        "trace " + trace.name() + ": " + ReplayText.traceLine(recording.facts(), trace.rate()));
    out.println(
        recording.size()
            + " requests for "
            + recording.keys()
            + " keys"
            + (recording.isCut() ? "; the trace goes on (--requests)" : ""));
    ReplayText.passedOver(recording.facts().stats())
        .forEach(line -> out.println("passed over: " + line));
    Optional<Advice> advice = sweep(recording, wait);
    if (advice.isEmpty()) {
      out.println("nothing to advise: no key comes twice within a window");
      return ExitCode.NO;
    }
    AdviceText.lines(advice.get()).forEach(out::println);
    configuration(out, yaml(advice.get()));
    return ExitCode.FINE;
  }

  private int programs(Recording recording, long wait, PrintWriter out) {
    Optional<Advice> advice = sweep(recording, wait);
    if (advice.isEmpty()) {
      out.println("{\"recommended\":null}");
      return ExitCode.NO;
    }
    String yaml = yaml(advice.get());
    if (output != null) {
      write(output, yaml);
    }
    out.println(AdviceJson.of(advice.get(), trace.name(), yaml));
    return ExitCode.FINE;
  }

  private String yaml(Advice advice) {
    String folder = limits == null ? null : "'" + limits.toString().replace("'", "''") + "'";
    return AdviceYaml.of(advice, trace.name(), folder);
  }

  private void configuration(PrintWriter out, String yaml) {
    out.println();
    if (output == null) {
      yaml.lines().forEach(out::println);
      return;
    }
    String shown = write(output, yaml);
    List.of("written to " + shown, "try it: heatshield check " + shown).forEach(out::println);
  }

  /** Writes the file whole and returns how its name is shown. */
  private static String write(Path file, String yaml) {
    String shown = KeyText.of(file.toString());
    try {
      WholeFile.write(file, yaml);
    } catch (IOException e) {
      throw InputFile.failure(file, "cannot be written: " + FailureReason.of(e));
    }
    return shown;
  }

  private Recording record() {
    try (Trace opened = trace.open();
        ShownProgress progress = progress("reading")) {
      return Recording.of(opened, requests, progress);
    } catch (NotATraceException e) {
      throw new CannotRunException(e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CannotRunException(trace.name() + ": " + FailureReason.of(e));
    }
  }

  private Optional<Advice> sweep(Recording recording, long wait) {
    try (ShownProgress progress = progress("sweep")) {
      return Sweep.of(recording, wait, progress);
    }
  }

  private ShownProgress progress(String task) {
    boolean terminal = Boolean.getBoolean("heatshield.stderr.tty");
    return new ShownProgress(task, spec.commandLine().getErr(), terminal, Ticker.system());
  }

  private long maxWaitNanos() {
    if (requests < 1 || requests > 100_000_000) {
      throw new ParameterException(
          spec.commandLine(), "--requests must be 1 to 100000000: " + requests);
    }
    if (limits != null && !KeyText.of(limits.toString()).equals(limits.toString())) {
      throw new ParameterException(spec.commandLine(), "--limits must be a plain path");
    }
    try {
      return DurationText.parse(maxWait).toNanos();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--max-wait: " + e.getMessage());
    }
  }
}
