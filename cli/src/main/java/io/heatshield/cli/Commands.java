package io.heatshield.cli;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.StopSignal;
import io.heatshield.cli.query.ExplainCommand;
import io.heatshield.cli.query.HealthCommand;
import io.heatshield.cli.query.HotCommand;
import io.heatshield.cli.query.SavingsCommand;
import io.heatshield.cli.query.StatsCommand;
import io.heatshield.cli.query.TopCommand;
import io.heatshield.config.value.NearestName;
import io.heatshield.key.KeyText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line: all commands, their help and their error messages.
 *
 * <p>Uses no state of the process, so that a test can run a command as a method call.
 */
final class Commands {
  private Commands() {}

  /** Runs a command and returns its exit code; the signal stops a server. */
  static int run(
      PrintWriter out,
      PrintWriter err,
      Map<String, String> environment,
      StopSignal signal,
      String... args) {
    Optional<String> refusal = Secrets.refusal(List.of(args));
    if (refusal.isPresent()) {
      err.println("heatshield: " + KeyText.of(refusal.get()));
      return ExitCode.WRONG_USAGE;
    }
    return line(out, err, environment, signal).execute(args);
  }

  private static CommandLine line(
      PrintWriter out, PrintWriter err, Map<String, String> environment, StopSignal signal) {
    var line = new CommandLine(new Heatshield());
    line.addSubcommand(new DemoCommand(signal))
        .addSubcommand(new ServeCommand(environment, signal))
        .addSubcommand(new CheckCommand(environment))
        .addSubcommand(new TopCommand(signal))
        .addSubcommand(new HotCommand())
        .addSubcommand(new ExplainCommand())
        .addSubcommand(new StatsCommand())
        .addSubcommand(new HealthCommand())
        .addSubcommand(new SavingsCommand())
        .addSubcommand(new LimitCommand())
        .addSubcommand(new ReplayCommand())
        .addSubcommand(new AdviseCommand())
        .addSubcommand(new SizeCommand())
        .addSubcommand(new CompletionCommand())
        .addSubcommand(new HelpCommand());
    describe(line);
    return line.setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .setAbbreviatedOptionsAllowed(false)
        .setParameterExceptionHandler((fault, args) -> wrongUsage(fault))
        .setExecutionExceptionHandler((fault, at, parsed) -> failed(fault, at));
  }

  /** Adds the common options and the table of exit codes to every command. */
  private static void describe(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Shows this help and exits.")
            .build());
    if (spec.parent() == null) {
      spec.addOption(
          OptionSpec.builder("-V", "--version")
              .versionHelp(true)
              .description("Prints the version and exits.")
              .build());
    }
    spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(ExitCode.meanings());
    line.getSubcommands().values().forEach(Commands::describe);
  }

  private static int wrongUsage(ParameterException fault) {
    CommandLine at = fault.getCommandLine();
    PrintWriter err = at.getErr();
    err.println("heatshield: " + KeyText.of(sentence(fault)));
    err.println("Try '" + at.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.WRONG_USAGE;
  }

  private static String sentence(ParameterException fault) {
    if (!(fault instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      String message = Objects.requireNonNullElse(fault.getMessage(), fault.toString());
      boolean word = message.length() > 1 && Character.isLowerCase(message.charAt(1));
      return word
          ? message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1)
          : message;
    }
    String word = unmatched.getUnmatched().get(0);
    CommandSpec spec = fault.getCommandLine().getCommandSpec();
    String kind =
        unmatched.isUnknownOption()
            ? "unknown option"
            : spec.subcommands().isEmpty() ? "unexpected argument" : "unknown command";
    String name = unmatched.isUnknownOption() ? word.split("=", 2)[0] : word;
    String nearest = NearestName.of(name, namesKnownTo(spec, unmatched.isUnknownOption()));
    String hint = nearest == null ? "" : "; did you mean '" + nearest + "'?";
    return kind + " '" + name + "'" + hint;
  }

  private static List<String> namesKnownTo(CommandSpec spec, boolean options) {
    return options
        ? spec.options().stream().flatMap(option -> List.of(option.names()).stream()).toList()
        : List.copyOf(spec.subcommands().keySet());
  }

  private static int failed(Exception fault, CommandLine at) {
    PrintWriter err = at.getErr();
    if (fault instanceof CannotRunException) {
      err.println("heatshield: " + fault.getMessage());
    } else {
      err.println("heatshield: internal error, please report it:");
      var trace = new StringWriter();
      fault.printStackTrace(new PrintWriter(trace));
      trace.toString().lines().forEach(line -> err.println(printable(line)));
    }
    return ExitCode.CANNOT_RUN;
  }

  /** Returns a line of a stack trace with control characters replaced. */
  private static String printable(String line) {
    return line.codePoints()
        .map(c -> c == '\t' || KeyText.isVisible(c) ? c : '?')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
