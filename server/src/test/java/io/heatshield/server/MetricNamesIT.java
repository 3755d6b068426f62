package io.heatshield.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.metrics.PrometheusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metrics at {@code /metrics} of a server with limits, a table and a store.
 *
 * <p>Names and labels are stable from 1.0 on; a new metric is added to {@code metrics.txt}, with
 * which the tests of the Micrometer binders compare theirs.
 */
@Timeout(120)
class MetricNamesIT {
  private static final Path EXPECTED = Path.of("src", "test", "resources", "metrics.txt");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void metrics_ofEveryPart_haveTheirNamesTypesLabelsAndHelp() throws Exception {
    try (TestServer server = TestServer.start(folder, yaml())) {
      assertThat(PrometheusText.metrics(server.get("metrics")))
          .containsExactlyElementsOf(Files.readAllLines(EXPECTED));
    }
  }

  private String yaml() throws IOException {
    Path limits = Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        limits.resolve("shop.yaml"),
        """
        domain: shop
        descriptors:
          - { key: remote_address, rate_limit: { unit: hour, requests_per_unit: 100 } }
        """);
    return TestServer.section(folder.resolve("state"))
        + "limits: { config: '"
        + limits
        + "' }\n"
        + """
        tables:
          - name: clients
            rules:
              - { name: flood, when: { rate_above: 1/h, burst: 5 }, block_for: 1h }
        stores:
          - { name: users, engine: memory, max_memory: 64MB }
        """;
  }
}
