package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Prometheus configuration of compose, checked by promtool where it is installed. */
class PromtoolIT {

  @Test
  void configuration_withItsRules_isValid(@TempDir Path folder) throws Exception {
    Optional<Path> promtool = Documents.program("promtool");
    assumeTrue(promtool.isPresent(), "there is no promtool on this machine");
    Path file = folder.resolve("prometheus.yml");
    Files.copy(Documents.DEPLOY.resolve("compose/prometheus.yml"), file);
    Files.copy(
        Documents.ROOT.resolve("docs/monitoring/alerts.yaml"), folder.resolve("alerts.yaml"));

    Output check =
        Output.of(List.of(promtool.orElseThrow().toString(), "check", "config", file.toString()));

    assertThat(check.code()).as(check.text()).isZero();
  }
}
