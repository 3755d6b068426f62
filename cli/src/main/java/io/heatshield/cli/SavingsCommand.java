package io.heatshield.cli;

import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code savings} command: what every action has saved, or would have. */
@Command(
    name = "savings",
    description = "Shows the calls that a running server saved, or would have saved.")
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
      lines(answer.list("actions")).forEach(out::println);
    }
    return ExitCode.FINE;
  }

  private static List<String> lines(List<Facts> actions) {
    if (actions.isEmpty()) {
      return List.of("No action has anything to save yet.");
    }
    List<String> names = actions.get(0).names();
    var table = new TextTable(names.stream().map(n -> n.replace('_', ' ')).toArray(String[]::new));
    for (Facts action : actions) {
      table.row(names.stream().map(action::text).toArray(String[]::new));
    }
    return table.lines();
  }
}
