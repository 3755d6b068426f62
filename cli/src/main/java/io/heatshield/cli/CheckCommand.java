package io.heatshield.cli;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.InputFile;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.yaml.Fault;
import io.heatshield.key.KeyText;
import io.heatshield.limit.yaml.RuleFiles;
import io.heatshield.runtime.memory.MachineMemory;
import io.heatshield.runtime.memory.MemoryText;
import io.heatshield.server.memory.MemoryFit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code check} command: reports every error of a configuration. */
@Command(
    name = "check",
    description = {
      "Validates a configuration, or rules of the Envoy rate-limit service, without starting a"
          + " server. Prints every error on a line of its own, with file, line and suggestion."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield check heatshield.yaml   one file",
      "  heatshield check conf/             every .yaml and .yml file in a folder",
      "  heatshield check limits/           Envoy rate-limit files, checked together"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class CheckCommand implements Callable<Integer> {
  private final ConfigLoader loader;
  private final boolean mergeDomains;

  @Parameters(
      paramLabel = "FILE",
      description = "A configuration or rate-limit file, or a folder of them.")
  private Path path;

  @Spec private CommandSpec spec;

  CheckCommand(Map<String, String> environment) {
    loader = new ConfigLoader(environment).checkingFiles();
    mergeDomains = "true".equals(environment.get("MERGE_DOMAIN_CONFIG"));
  }

  @Override
  public Integer call() {
    Map<Boolean, List<Path>> kinds =
        files().stream().collect(Collectors.partitioningBy(ConfigLoader::isRateLimitFile));
    int faults = 0;
    for (Path file : kinds.getOrDefault(false, List.of())) {
      faults += check(file);
    }
    List<Path> rules = kinds.getOrDefault(true, List.of());
    if (!rules.isEmpty()) {
      faults += report(path, RuleFiles.load(rules, mergeDomains));
    }
    return faults == 0 ? ExitCode.OK : ExitCode.NEGATIVE;
  }

  private int check(Path file) {
    PrintWriter out = spec.commandLine().getOut();
    LoadResult result = loader.load(file);
    List<Fault> faults =
        result instanceof LoadResult.Invalid invalid ? invalid.faults() : List.of();
    faults.forEach(out::println);
    result.warnings().forEach(warning -> out.println("warning: " + warning));
    out.println(printable(file) + ": " + verdict(faults.size()));
    if (!(result instanceof LoadResult.Valid valid)) {
      return faults.size();
    }
    printMemory(MemoryFit.of(valid.configuration(), MachineMemory.ofServer()));
    LimitsSettings limits = valid.configuration().settings().limits();
    return limits == null
        ? 0
        : report(limits.config(), RuleFiles.load(limits.config(), limits.mergeDomains()));
  }

  /**
   * Prints the memory plan. That this machine is too small is no error: the server's may not be.
   */
  private void printMemory(MemoryFit fit) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("memory:");
    MemoryText.table(fit.plan()).forEach(out::println);
    fit.lowered()
        .forEach((path, value) -> out.println("  " + path + ": " + value + " here, not written"));
    if (!fit.fits()) {
      out.println("warning: serve refuses it on this machine: " + fit.shortage());
    }
  }

  /** Prints the result of loading rules and returns the number of errors. */
  private int report(Path rules, io.heatshield.limit.yaml.LoadResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (result instanceof io.heatshield.limit.yaml.LoadResult.Invalid invalid) {
      invalid.faults().forEach(out::println);
      out.println(printable(rules) + ": " + verdict(invalid.faults().size()));
      return invalid.faults().size();
    }
    out.println(printable(rules) + ": " + verdict(0));
    return 0;
  }

  private List<Path> files() {
    if (!Files.isDirectory(path)) {
      return List.of(InputFile.readable(path));
    }
    try (Stream<Path> children = Files.list(path)) {
      List<Path> files =
          children.filter(file -> file.toString().matches("(?s).*\\.ya?ml")).sorted().toList();
      if (files.isEmpty()) {
        throw InputFile.failure(path, "contains no .yaml or .yml file");
      }
      files.forEach(InputFile::readable);
      return files;
    } catch (IOException e) {
      throw InputFile.failure(path, e);
    }
  }

  private static String verdict(int faults) {
    return switch (faults) {
      case 0 -> "valid";
      case 1 -> "1 error";
      default -> faults + " errors";
    };
  }

  private static String printable(Path file) {
    return KeyText.of(file.toString());
  }
}
