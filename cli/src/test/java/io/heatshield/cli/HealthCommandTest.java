package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HealthCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void health_readyServer_isFine() throws Exception {
    assertThat(health("")).isEqualTo(new Invocation(ExitCode.OK, "ready\n", ""));
  }

  @Test
  void health_forPrograms_isJson() throws Exception {
    assertThat(health("", "--json").out()).isEqualTo("{\"ready\":true,\"reasons\":[]}\n");
  }

  @Test
  void health_serverThatIsNotReady_printsTheReasonAndExitsWithOne() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));

    Invocation health = health("limits: { config: '" + rules + "', require_domain: true }\n");

    assertThat(health.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(health.out()).startsWith("not ready\n").contains("domain");
  }

  @Test
  void health_noServer_cannotRun() {
    Invocation health = Invocation.of("health", "--url", "http://127.0.0.1:1");

    assertThat(health.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(health.err()).startsWith("heatshield: cannot reach http://127.0.0.1:1");
  }

  private Invocation health(String more, String... options) throws Exception {
    try (LocalServer server = LocalServer.start(folder, more)) {
      var arguments = new ArrayList<>(List.of("health", "--url", server.url()));
      arguments.addAll(List.of(options));
      return Invocation.of(arguments.toArray(String[]::new));
    }
  }
}
