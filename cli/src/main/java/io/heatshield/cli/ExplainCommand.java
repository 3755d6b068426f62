package io.heatshield.cli;

import io.heatshield.cli.view.ExplainText;
import io.heatshield.cli.view.Facts;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
      "Explains a key: how hot it is, since when, who uses it, what was done, what to do.",
      "Exit code 1 means that it is not hot."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield explain user:42                what the server on this machine knows",
      "  heatshield explain user:42 --scope main   in one store or rate-limit domain",
      "  heatshield explain user:42 --json         for programs"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class ExplainCommand implements Callable<Integer> {
  @Mixin private ServerQuestion server;

  @Parameters(paramLabel = "KEY", description = "The key, as text.")
  private String key;

  @Option(
      names = "--scope",
      paramLabel = "S",
      description = "Its scope; not needed if there is only one.")
  private @Nullable String scope;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Facts known = server.tell(path(key, scope), out, ExplainText::lines);
    return known.text("state").equals("cool") ? ExitCode.NO : ExitCode.FINE;
  }

  static String path(String key, @Nullable String scope) {
    return at(URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20"), scope);
  }

  /** Returns where a key is explained whose bytes are percent-encoded already. */
  static String at(String encoded, @Nullable String scope) {
    return "/api/v1/keys/"
        + encoded
        + (scope == null ? "" : "?scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8));
  }
}
