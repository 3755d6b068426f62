package io.heatshield.cli.query;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.view.SavingsText;
import io.heatshield.cli.view.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code savings} command: prints what each protection saved or would have saved. */
@Command(
    name = "savings",
    description =
        "Shows how many calls a running server saved, or would have saved, per day and in money.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield savings          the savings of each protection",
      "  heatshield savings --json   as JSON"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class SavingsCommand implements Callable<Integer> {
  @Mixin private ServerClient server;

  @Override
  public Integer call() {
    server.print("/api/v1/savings", answer -> SavingsText.lines(answer, Terminal.width()));
    return ExitCode.OK;
  }
}
