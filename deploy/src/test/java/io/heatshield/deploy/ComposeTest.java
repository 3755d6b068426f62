package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The compose file and what it mounts. */
class ComposeTest {
  private static final Path FOLDER = Documents.DEPLOY.resolve("compose");

  private final Object compose = Documents.read(FOLDER.resolve("compose.yaml"));

  ComposeTest() throws IOException {}

  @Test
  void compose_bySchema_isValid() throws IOException {
    assertThat(Documents.faults("compose.schema.json", compose)).isEmpty();
  }

  @Test
  void compose_withAnUnknownKey_isNotValid() throws IOException {
    Object wrong = Map.of("services", Map.of("a", Map.of("image", "a:1", "readonly", true)));

    assertThat(Documents.faults("compose.schema.json", wrong)).isNotEmpty();
  }

  @Test
  void everyFile_mountedByAService_exists() {
    for (Object service : Documents.map(Documents.at(compose, "services")).values()) {
      for (Object volume : Documents.list(Documents.at(service, "volumes"))) {
        String source = List.of(volume.toString().split(":", -1)).get(0);
        if (source.startsWith(".")) {
          assertThat(FOLDER.resolve(source)).exists();
        } else {
          assertThat(Documents.map(Documents.at(compose, "volumes")).containsKey(source))
              .as(source)
              .isTrue();
        }
      }
    }
  }

  @Test
  void heatshield_service_matchesTheImage() {
    Object service = Documents.at(compose, "services", "heatshield");

    assertThat(Documents.at(service, "read_only")).isEqualTo(true);
    assertThat(Documents.at(service, "cap_drop")).isEqualTo(List.of("ALL"));
    assertThat(Documents.at(service, "image").toString()).contains(version());
  }

  @Test
  void configuration_isValidAndNamedAsInPrometheus() throws IOException {
    String yaml = Files.readString(FOLDER.resolve("heatshield.yaml"));
    Object prometheus = Documents.read(FOLDER.resolve("prometheus.yml"));

    Documents.assertConfiguration(yaml);
    assertThat(
            Documents.at(prometheus, "scrape_configs", 0, "static_configs", 0, "targets", 0)
                .toString())
        .isEqualTo(Documents.at(Documents.read(yaml).get(0), "server", "hosts", 0) + ":8080");
  }

  @Test
  void grafana_findsItsDashboardAndItsPrometheus() throws IOException {
    Path provisioning = FOLDER.resolve("grafana/provisioning");
    Object sources = Documents.read(provisioning.resolve("datasources/prometheus.yaml"));
    Object dashboards = Documents.read(provisioning.resolve("dashboards/heatshield.yaml"));
    String folder = Documents.at(dashboards, "providers", 0, "options", "path").toString();

    assertThat(Documents.at(sources, "datasources", 0, "url")).isEqualTo("http://prometheus:9090");
    assertThat(Documents.at(compose, "services", "grafana", "volumes").toString())
        .contains("docs/monitoring/dashboard.json:" + folder + "/");
  }

  private static String version() {
    return Release.version();
  }
}
