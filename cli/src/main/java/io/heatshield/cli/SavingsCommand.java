package io.heatshield.cli;

import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.SavingsText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code savings} command: what every action has saved, or would have. */
@Command(
    name = "savings",
    description =
        "Shows the calls that a running server saved, or would have saved, by day and in money.")
final class SavingsCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private ServerQuestion server;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Facts answer = server.ask("/api/v1/savings", out);
    if (answer != null) {
      SavingsText.lines(answer).forEach(out::println);
    }
    return ExitCode.FINE;
  }
}
