package io.heatshield.cli.query;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.key.KeyText;
import io.heatshield.runtime.json.Json;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code health} command: checks whether a server is ready, for use as a container probe. */
@Command(
    name = "health",
    description = {
      "Checks whether a running server is ready, and if not, prints why.",
      "Exit code 1 means that the server is not ready."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield health                              the server on this machine",
      "  heatshield health --url http://10.0.0.5:8080 && echo ready",
      "  heatshield health --json                       as JSON"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class HealthCommand implements Callable<Integer> {
  private static final int READY = 200;
  private static final int NOT_READY = 503;

  @Mixin private ServerClient server;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    HttpResponse<byte[]> answer = server.send("/readyz");
    if (answer.statusCode() != READY && answer.statusCode() != NOT_READY) {
      throw server.failure(answer);
    }
    boolean ready = answer.statusCode() == READY;
    List<String> lines = new String(answer.body(), StandardCharsets.UTF_8).lines().toList();
    PrintWriter out = spec.commandLine().getOut();
    if (server.json()) {
      out.println(Json.write(new Readiness(ready, lines.stream().skip(1).toList())));
    } else {
      lines.forEach(line -> out.println(KeyText.of(line)));
    }
    return ready ? ExitCode.OK : ExitCode.NEGATIVE;
  }

  /** The JSON output; the reasons are the lines of {@code /readyz} after the first. */
  private record Readiness(boolean ready, List<String> reasons) {}
}
