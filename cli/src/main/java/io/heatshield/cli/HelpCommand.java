package io.heatshield.cli;

import io.heatshield.config.value.NearestName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code help} command: prints the help of a command, or the list of commands. */
@Command(
    name = "help",
    description = "Shows the help of a command, or the list of commands.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield help       the list of commands",
      "  heatshield help top   the same as heatshield top --help"
    })
final class HelpCommand implements Runnable {
  @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "The command.")
  private @Nullable String name;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private CommandSpec spec;

  @Override
  public void run() {
    CommandLine root = spec.root().commandLine();
    Map<String, CommandLine> commands = root.getSubcommands();
    CommandLine command = name == null ? root : commands.get(name);
    if (command == null) {
      String nearest = NearestName.of(String.valueOf(name), List.copyOf(commands.keySet()));
      throw new ParameterException(
          spec.commandLine(),
          "unknown command '"
              + name
              + "'"
              + (nearest == null ? "" : "; did you mean '" + nearest + "'?"));
    }
    command.usage(spec.commandLine().getOut());
  }
}
