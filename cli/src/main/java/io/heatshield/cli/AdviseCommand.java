package io.heatshield.cli;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.replay.AdviceJson;
import io.heatshield.cli.replay.AtomicFile;
import io.heatshield.cli.replay.ProgressReporter;
import io.heatshield.cli.replay.TraceArguments;
import io.heatshield.config.value.DurationText;
import io.heatshield.key.KeyText;
import io.heatshield.replay.ReplayText;
import io.heatshield.replay.advise.Advice;
import io.heatshield.replay.advise.AdviceText;
import io.heatshield.replay.advise.AdviceYaml;
import io.heatshield.replay.advise.Recording;
import io.heatshield.replay.advise.Sweep;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code advise} command: tries settings on a trace and recommends the best. */
@Command(
    name = "advise",
    description = {
      "Tries thresholds, windows, sketch sizes and flush windows on the first half of a recorded"
          + " trace, recommends one of each with the expected savings, and checks the prediction on"
          + " the second half.",
      "Exit code 1 means that there is no recommendation."
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
      description = "The maximum number of requests to read. Default: ${DEFAULT-VALUE}.")
  private int requests;

  /** Accepts the former name of this option. */
  @Option(names = "--touches", hidden = true)
  void setTouches(int touches) {
    requests = touches;
  }

  @Option(
      names = "--max-wait",
      paramLabel = "T",
      defaultValue = "10ms",
      description = "The maximum wait of a call for a hot key. Default: ${DEFAULT-VALUE}.")
  private String maxWait;

  @Option(
      names = "--output",
      paramLabel = "OUT",
      description = "Writes the configuration to this file, which must not exist.")
  private @Nullable Path output;

  @Option(
      names = "--limits",
      paramLabel = "FOLDER",
      description = "Also configures rate limits with the rules of this folder.")
  private @Nullable Path limits;

  @Option(names = "--json", description = "Prints the advice as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    long wait = maxWaitNanos();
    if (output != null && Files.exists(output)) {
      throw new CannotRunException(KeyText.of(output.toString()) + " already exists");
    }
    Recording recording = record();
    if (json) {
      return printJson(recording, wait, out);
    }
    out.println(
        "trace " + trace.name() + ": " + ReplayText.traceLine(recording.facts(), trace.rate()));
    out.println(
        recording.size()
            + " requests for "
            + recording.keys()
            + " keys"
            + (recording.isTruncated() ? "; the trace has more (--requests)" : ""));
    ReplayText.warnings(recording.facts().stats()).forEach(line -> out.println("warning: " + line));
    Optional<Advice> advice = sweep(recording, wait);
    if (advice.isEmpty()) {
      out.println("no recommendation: no key occurs twice within a window");
      return ExitCode.NEGATIVE;
    }
    AdviceText.lines(advice.get()).forEach(out::println);
    printConfiguration(out, yaml(advice.get()));
    return ExitCode.OK;
  }

  private int printJson(Recording recording, long wait, PrintWriter out) {
    Optional<Advice> advice = sweep(recording, wait);
    if (advice.isEmpty()) {
      out.println("{\"recommended\":null}");
      return ExitCode.NEGATIVE;
    }
    String yaml = yaml(advice.get());
    if (output != null) {
      write(output, yaml);
    }
    out.println(AdviceJson.of(advice.get(), trace.name(), yaml));
    return ExitCode.OK;
  }

  private String yaml(Advice advice) {
    String folder = limits == null ? null : "'" + limits.toString().replace("'", "''") + "'";
    return AdviceYaml.of(advice, trace.name(), folder);
  }

  private void printConfiguration(PrintWriter out, String yaml) {
    out.println();
    if (output == null) {
      yaml.lines().forEach(out::println);
      return;
    }
    String name = write(output, yaml);
    out.println("written to " + name);
    out.println("try it: heatshield check " + name);
  }

  /** Writes the file atomically and returns its printable name. */
  private static String write(Path file, String yaml) {
    AtomicFile.write(file, yaml);
    return KeyText.of(file.toString());
  }

  private Recording record() {
    return trace.read("reading", (opened, progress) -> Recording.of(opened, requests, progress));
  }

  private Optional<Advice> sweep(Recording recording, long wait) {
    try (var progress = ProgressReporter.start("sweep", spec.commandLine().getErr())) {
      return Sweep.of(recording, wait, progress);
    }
  }

  private long maxWaitNanos() {
    if (requests < 1 || requests > 100_000_000) {
      throw new ParameterException(
          spec.commandLine(), "--requests must be 1 to 100000000: " + requests);
    }
    if (limits != null && !KeyText.of(limits.toString()).equals(limits.toString())) {
      throw new ParameterException(spec.commandLine(), "--limits must be a printable path");
    }
    try {
      return DurationText.parse(maxWait).toNanos();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--max-wait: " + e.getMessage());
    }
  }
}
