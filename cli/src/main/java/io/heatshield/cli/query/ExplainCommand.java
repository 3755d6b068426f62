package io.heatshield.cli.query;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.view.ExplainText;
import io.heatshield.cli.view.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code explain} command: prints what is known about one key. */
@Command(
    name = "explain",
    description = {
      "Explains a key: its rate, since when it is hot, its clients, what was done, what to do.",
      "Exit code 1 means that the key is not hot."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield explain user:42                ask the server on this machine",
      "  heatshield explain user:42 --scope main   in one store or rate-limit domain",
      "  heatshield explain user:42 --json         as JSON"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class ExplainCommand implements Callable<Integer> {
  @Mixin private ServerClient server;

  @Parameters(paramLabel = "KEY", description = "The key.")
  private String key;

  @Option(
      names = "--scope",
      paramLabel = "S",
      description = "The scope of the key; not needed if there is only one.")
  private @Nullable String scope;

  @Override
  public Integer call() {
    String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
    JsonObject answer = server.print(path(encoded, scope), ExplainText::lines);
    return answer.text("state").equals("cool") ? ExitCode.NEGATIVE : ExitCode.OK;
  }

  /** Returns the path of the API for a percent-encoded key. */
  static String path(String encoded, @Nullable String scope) {
    return "/api/v1/keys/"
        + encoded
        + (scope == null ? "" : "?scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8));
  }
}
