package io.heatshield.cli.query;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.view.FleetLines;
import io.heatshield.cli.view.HotTable;
import io.heatshield.cli.view.JsonObject;
import io.heatshield.cli.view.Terminal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code hot} command: lists the hottest keys once. */
@Command(
    name = "hot",
    description = "Lists the hottest keys of a running server.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield hot -n 3           the three hottest keys of every scope",
      "  heatshield hot --scope main   only this store or rate-limit domain",
      "  heatshield hot --json         as JSON"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class HotCommand implements Callable<Integer> {
  @Mixin private ServerClient server;

  @Option(names = "--scope", paramLabel = "S", description = "Only this scope.")
  private @Nullable String scope;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "10",
      description = "The maximum number of keys per scope. Default: ${DEFAULT-VALUE}.")
  private int max;

  @Option(names = "--fleet", description = "Shows the merged counts of all nodes of the fleet.")
  private boolean fleet;

  @Override
  public Integer call() {
    server.print(path(scope, max, fleet), HotCommand::lines);
    return ExitCode.OK;
  }

  private static List<String> lines(JsonObject answer) {
    var lines = new ArrayList<>(List.of(HotTable.summary(answer)));
    lines.addAll(FleetLines.of(answer));
    List<HotTable.Row> rows = HotTable.rows(answer, HotTable.Sort.RATE, "", Integer.MAX_VALUE);
    if (!rows.isEmpty()) {
      lines.addAll(HotTable.lines(rows, Terminal.width()));
    }
    return lines;
  }

  /** Returns the path of the API for the hottest keys. */
  static String path(@Nullable String scope, int max, boolean fleet) {
    return "/api/v1/hot?n="
        + max
        + (scope == null ? "" : "&scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8))
        + (fleet ? "&fleet=true" : "");
  }
}
