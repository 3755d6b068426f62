package io.heatshield.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code completion} command: prints what a shell needs to complete {@code heatshield}. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(heatshield completion)                    in this shell only",
      "  heatshield completion > ~/.heatshield-completion   and source that file in your shell"
    })
final class CompletionCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private CommandSpec spec;

  @Override
  public void run() {
    String script = AutoComplete.bash("heatshield", spec.root().commandLine());
    spec.commandLine().getOut().print(script);
    spec.commandLine().getOut().flush();
  }
}
