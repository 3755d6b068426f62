package io.heatshield.cli;

import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.FleetLines;
import io.heatshield.cli.view.HotTable;
import io.heatshield.cli.view.Terminal;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code hot} command: the hottest keys, once. */
@Command(
    name = "hot",
    description = "Lists the hottest keys of a running server.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield hot -n 3           the three hottest keys of every scope",
      "  heatshield hot --scope main   of one store or rate-limit domain",
      "  heatshield hot --json         for programs"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class HotCommand implements Callable<Integer> {
  @Mixin private ServerQuestion server;

  @Option(names = "--scope", paramLabel = "S", description = "Only this scope.")
  private @Nullable String scope;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "10",
      description = "At most how many keys of a scope, ${DEFAULT-VALUE} if not given.")
  private int most;

  @Option(names = "--fleet", description = "What all nodes of the fleet counted together.")
  private boolean fleet;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Facts answer = server.ask(path(scope, most, fleet), out);
    if (answer != null) {
      out.println(HotTable.summary(answer));
      FleetLines.of(answer).forEach(out::println);
      List<HotTable.Row> rows = HotTable.rows(answer, HotTable.Sort.RATE, "", Integer.MAX_VALUE);
      if (!rows.isEmpty()) {
        HotTable.lines(rows, Terminal.width()).forEach(out::println);
      }
    }
    return ExitCode.FINE;
  }

  static String path(@Nullable String scope, int most, boolean fleet) {
    return "/api/v1/hot?n="
        + most
        + (scope == null ? "" : "&scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8))
        + (fleet ? "&fleet=true" : "");
  }
}
