package io.heatshield.cli;

import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.Terminal;
import io.heatshield.cli.view.TextTable;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code stats} command: what a server counts, scope by scope. */
@Command(
    name = "stats",
    description = "Shows what a running server counts, scope by scope.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield stats                              of the server on this machine",
      "  heatshield stats --url http://10.0.0.7:8080   of another one",
      "  heatshield stats --json                       for programs"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class StatsCommand implements Callable<Integer> {
  @Mixin private ServerQuestion server;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Facts answer = server.ask("/api/v1/stats", out);
    if (answer == null) {
      return ExitCode.FINE;
    }
    out.println(
        "heatshield "
            + TextTable.shown(answer.text("version"))
            + ", up for "
            + answer.whole("uptime_seconds")
            + " s");
    var table =
        new TextTable(
            "scope",
            ">requests",
            ">in window",
            ">hot",
            ">kept",
            ">error bound",
            ">floor/s",
            ">bytes");
    for (Facts scope : answer.list("scopes")) {
      table.row(
          scope.text("scope"),
          scope.whole("touches"),
          scope.whole("in_window"),
          scope.whole("hot"),
          scope.whole("kept"),
          scope.whole("error_bound"),
          scope.whole("floor_rate"),
          scope.whole("bytes"));
    }
    table.lines(Terminal.width(), "bytes", "floor/s", "kept", "error bound").forEach(out::println);
    return ExitCode.FINE;
  }
}
