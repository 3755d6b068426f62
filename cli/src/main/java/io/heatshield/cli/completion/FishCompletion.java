package io.heatshield.cli.completion;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes a completion script for the fish shell, with commands, options and known values. */
public final class FishCompletion {
  private final String program;
  private final List<String> lines = new ArrayList<>();

  private FishCompletion(String program) {
    this.program = program;
  }

  /** Returns the script for a program with commands one level deep. */
  public static String of(String program, CommandLine root) {
    var script = new FishCompletion(program);
    script.lines.add("# Completion of " + program + " for fish.");
    script.line("-f");
    script.options("__fish_use_subcommand", root.getCommandSpec());
    root.getSubcommands().forEach(script::command);
    return String.join("\n", script.lines) + "\n";
  }

  private void command(String name, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String[] description = spec.usageMessage().description();
    String about = description.length == 0 ? "" : first(description[0]);
    line("-n __fish_use_subcommand -a " + quoted(name) + described(about));
    String here = quoted("__fish_seen_subcommand_from " + name);
    options(here, spec);
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      if (isFile(parameter)) {
        line("-n " + here + " -F");
      } else if (parameter.completionCandidates() != null) {
        line("-n " + here + " -a " + quoted(words(parameter)));
      }
    }
  }

  private void options(String condition, CommandSpec spec) {
    for (OptionSpec option : spec.options()) {
      String names =
          List.of(option.names()).stream()
              .map(FishCompletion::name)
              .collect(Collectors.joining(" "));
      String[] description = option.description();
      line(
          "-n "
              + condition
              + " "
              + names
              + value(option)
              + described(description.length == 0 ? "" : first(description[0])));
    }
  }

  private void line(String arguments) {
    lines.add("complete -c " + program + " " + arguments);
  }

  private static String name(String option) {
    if (option.startsWith("--")) {
      return "-l " + option.substring(2);
    }
    return (option.length() == 2 ? "-s " : "-o ") + option.substring(1);
  }

  /** Returns the fish flags for the value of an option. */
  private static String value(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    if (isFile(option)) {
      return " -r -F";
    }
    return option.completionCandidates() == null ? " -x" : " -x -a " + quoted(words(option));
  }

  private static boolean isFile(ArgSpec argument) {
    Class<?> type = argument.type();
    return type == Path.class || type == File.class || argument.paramLabel().contains("FILE");
  }

  private static String words(ArgSpec argument) {
    return StreamSupport.stream(argument.completionCandidates().spliterator(), false)
        .collect(Collectors.joining(" "));
  }

  /** Returns the first sentence without the full stop. */
  private static String first(String description) {
    int end = description.indexOf(". ");
    return (end < 0 ? description : description.substring(0, end)).replaceAll("\\.$", "");
  }

  private static String described(String text) {
    return text.isEmpty() ? "" : " -d " + quoted(text);
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
