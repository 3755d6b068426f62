package io.heatshield.cli;

import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.TextTable;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code explain} command: what is known about one key. */
@Command(
    name = "explain",
    description = {
      "Tells what a running server knows about a key.",
      "Exit code 1 means that it is not hot."
    })
final class ExplainCommand implements Callable<Integer> {
  private static final List<String> TIMES = List.of("since", "first_seen", "last_seen");

  @Mixin
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private ServerQuestion server;

  @Parameters(paramLabel = "KEY", description = "The key, as text.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private String key;

  @Option(
      names = "--scope",
      paramLabel = "S",
      description = "Its scope; not needed if there is only one.")
  private @Nullable String scope;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Facts known = server.tell(path(key, scope), out, ExplainCommand::lines);
    return known.text("state").equals("cool") ? ExitCode.NO : ExitCode.FINE;
  }

  static String path(String key, @Nullable String scope) {
    String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
    return "/api/v1/keys/"
        + encoded
        + (scope == null ? "" : "?scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8));
  }

  static List<String> lines(Facts known) {
    var table = new TextTable("fact", "value");
    table.row("key", known.text("key"));
    table.row("scope", known.text("scope"));
    table.row("state", known.text("state"));
    table.row("rate", known.whole("rate") + "/s");
    table.row("share of the scope", known.percent("share"));
    table.row(
        "touches in the window",
        known.whole("estimate") + ", too high by at most " + known.whole("error"));
    table.row("counted for certain", known.whole("guaranteed"));
    for (String time : TIMES) {
      table.row(time.replace('_', ' '), known.text(time).isEmpty() ? "-" : known.text(time));
    }
    table.row("key hash", known.text("key_hash"));
    List<String> lines = table.lines();
    return lines.subList(1, lines.size());
  }
}
