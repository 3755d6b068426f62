package io.heatshield.cli;

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

/** The {@code health} command: whether a server may be sent traffic, as a container asks it. */
@Command(
    name = "health",
    description = {
      "Says whether a running server is ready, and if not, why.",
      "It ends with 0 if it is ready and with 1 if it is not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield health                              of the server on this machine",
      "  heatshield health --url http://10.0.0.5:8080 && echo ready",
      "  heatshield health --json                       for programs"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class HealthCommand implements Callable<Integer> {
  private static final int READY = 200;
  private static final int NOT_READY = 503;

  @Mixin private ServerQuestion server;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    HttpResponse<byte[]> answer = server.get("/readyz");
    if (answer.statusCode() != READY && answer.statusCode() != NOT_READY) {
      throw server.refused(answer);
    }
    boolean ready = answer.statusCode() == READY;
    List<String> lines = new String(answer.body(), StandardCharsets.UTF_8).lines().toList();
    PrintWriter out = spec.commandLine().getOut();
    if (server.json()) {
      out.println(Json.write(new Readiness(ready, lines.stream().skip(1).toList())));
    } else {
      lines.forEach(line -> out.println(KeyText.of(line)));
    }
    return ready ? ExitCode.FINE : ExitCode.NO;
  }

  /** The answer for programs: what follows the first line of {@code /readyz} is a list. */
  private record Readiness(boolean ready, List<String> reasons) {}
}
