package io.heatshield.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The alert rules of docs/monitoring by Prometheus's own tool, where it is at hand. */
@Timeout(60)
class PromtoolIT {
  private static final Path MONITORING = Path.of("..", "docs", "monitoring");

  @Test
  void alerts_byPromtool_areValid() throws Exception {
    Optional<Path> promtool =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .map(part -> Path.of(part, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(promtool.isPresent(), "there is no promtool on this machine");

    Process check =
        new ProcessBuilder(
                promtool.orElseThrow().toString(),
                "check",
                "rules",
                MONITORING.resolve("alerts.yaml").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(check.waitFor()).as(said).isZero();
  }
}
