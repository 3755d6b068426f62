package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    assertThat(health("")).isEqualTo(new Invocation(ExitCode.FINE, "ready\n", ""));
  }

  @Test
  void health_forPrograms_isJson() throws Exception {
    assertThat(health("", "--json").out()).isEqualTo("{\"ready\":true,\"reasons\":[]}\n");
  }

  @Test
  void health_serverThatIsNotReady_saysWhyAndAnswersNo() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));

    Invocation health = health("limits: { config: '" + rules + "', require_domain: true }\n");

    assertThat(health.code()).isEqualTo(ExitCode.NO);
    assertThat(health.out()).startsWith("not ready\n").contains("domain");
  }

  @Test
  void health_noServer_cannotRun() {
    Invocation health = Invocation.of("health", "--url", "http://127.0.0.1:1");

    assertThat(health.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(health.err()).startsWith("heatshield: cannot reach http://127.0.0.1:1");
  }

  private Invocation health(String more, String... options) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state")
                + "' }\n"
                + more);
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    HeatshieldServer server = HeatshieldServer.start(loader, valid.configuration(), file);
    try {
      var arguments = new ArrayList<>(List.of("health", "--url", server.http().toString()));
      arguments.addAll(List.of(options));
      return Invocation.of(arguments.toArray(String[]::new));
    } finally {
      server.stop(Duration.ofSeconds(5));
    }
  }
}
