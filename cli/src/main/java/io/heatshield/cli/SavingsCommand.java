package io.heatshield.cli;

import io.heatshield.cli.view.CellWidth;
import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.SavingsText;
import io.heatshield.cli.view.Terminal;
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
        "Shows the calls that a running server saved, or would have saved, by day and in money.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield savings          what every action saved, and what it would have saved",
      "  heatshield savings --json   for programs"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class SavingsCommand implements Callable<Integer> {
  @Mixin private ServerQuestion server;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Facts answer = server.ask("/api/v1/savings", out);
    if (answer != null) {
      int width = Terminal.width();
      SavingsText.lines(answer, width).stream()
          .flatMap(line -> CellWidth.wrap(line, width).stream())
          .forEach(out::println);
    }
    return ExitCode.FINE;
  }
}
