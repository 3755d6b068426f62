package io.heatshield.cli.query;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.view.JsonObject;
import io.heatshield.cli.view.Terminal;
import io.heatshield.cli.view.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code stats} command: prints the statistics of each scope. */
@Command(
    name = "stats",
    description = "Shows the statistics of each scope of a running server.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield stats                              the server on this machine",
      "  heatshield stats --url http://10.0.0.7:8080   another server",
      "  heatshield stats --json                       as JSON"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class StatsCommand implements Callable<Integer> {
  @Mixin private ServerClient server;

  @Override
  public Integer call() {
    server.print("/api/v1/stats", StatsCommand::lines);
    return ExitCode.OK;
  }

  private static List<String> lines(JsonObject answer) {
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
    for (JsonObject scope : answer.list("scopes")) {
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
    var lines = new ArrayList<String>();
    lines.add(
        "heatshield "
            + TextTable.shorten(answer.text("version"))
            + ", up for "
            + answer.whole("uptime_seconds")
            + " s");
    lines.addAll(table.lines(Terminal.width(), "bytes", "floor/s", "kept", "error bound"));
    return lines;
  }
}
