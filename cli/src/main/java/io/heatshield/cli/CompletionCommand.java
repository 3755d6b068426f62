package io.heatshield.cli;

import io.heatshield.cli.completion.FishCompletion;
import java.util.Iterator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code completion} command: prints a completion script for a shell. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash, zsh or fish.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(heatshield completion bash)       for this session",
      "  heatshield completion zsh > ~/.heatshield-completion",
      "                                             then source this file in ~/.zshrc",
      "  heatshield completion fish > ~/.config/fish/completions/heatshield.fish"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class CompletionCommand implements Runnable {
  private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  @Parameters(
      paramLabel = "SHELL",
      arity = "0..1",
      defaultValue = "bash",
      completionCandidates = Shells.class,
      description = "bash, zsh or fish. Default: ${DEFAULT-VALUE}.")
  private String shell;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    if (!SHELLS.contains(shell)) {
      throw new ParameterException(
          spec.commandLine(), "SHELL must be bash, zsh or fish: '" + shell + "'");
    }
    CommandLine root = spec.root().commandLine();
    // The bash script of picocli also works in zsh.
    String script =
        shell.equals("fish")
            ? FishCompletion.of("heatshield", root)
            : AutoComplete.bash("heatshield", root);
    spec.commandLine().getOut().print(script);
    spec.commandLine().getOut().flush();
  }

  /** The completion candidates. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SHELLS.iterator();
    }
  }
}
