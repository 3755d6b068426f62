package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rendered manifests; HelmIT checks that they are what the chart makes. */
class KubernetesTest {
  private static final Path FOLDER = Documents.DEPLOY.resolve("kubernetes");

  @ParameterizedTest
  @ValueSource(strings = {"deployment.yaml", "sidecar.yaml"})
  void manifests_bySchema_areValid(String file) throws IOException {
    List<Object> objects = Documents.read(Files.readString(FOLDER.resolve(file)));

    assertThat(objects).isNotEmpty();
    for (Object object : objects) {
      assertThat(Documents.faults("kubernetes.schema.json", object)).as("%s", object).isEmpty();
    }
  }

  @Test
  void manifest_withAMisspeltField_isNotValid() throws IOException {
    Object wrong =
        Map.of(
            "apiVersion", "v1", "kind", "Service", "metadata", Map.of("name", "a"), "sepc", "none");

    assertThat(Documents.faults("kubernetes.schema.json", wrong)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deployment.yaml", "sidecar.yaml"})
  void configuration_inTheConfigMap_isValid(String file) throws IOException {
    List<Object> maps = ofKind(file, "ConfigMap");

    assertThat(maps).hasSize(1);
    Documents.assertConfiguration(Documents.at(maps.get(0), "data", "heatshield.yaml").toString());
  }

  @Test
  void deployment_andService_agreeOnPodsAndPorts() throws IOException {
    Object pods = Documents.at(ofKind("deployment.yaml", "Deployment").get(0), "spec", "template");
    Object service = Documents.at(ofKind("deployment.yaml", "Service").get(0), "spec");
    Object budget = ofKind("deployment.yaml", "PodDisruptionBudget").get(0);
    Map<?, ?> labels = Documents.map(Documents.at(pods, "metadata", "labels"));
    List<?> ports =
        Documents.list(Documents.at(pods, "spec", "containers", 0, "ports")).stream()
            .map(port -> Documents.at(port, "name"))
            .toList();

    assertThat(labels.entrySet().containsAll(selected(service, "selector"))).isTrue();
    assertThat(labels.entrySet().containsAll(selected(budget, "spec", "selector", "matchLabels")))
        .isTrue();
    for (Object port : Documents.list(Documents.at(service, "ports"))) {
      assertThat(ports.contains(Documents.at(port, "targetPort"))).isTrue();
    }
  }

  @Test
  void container_ofBothManifests_isNotRootAndCannotWriteToItsRoot() throws IOException {
    Object alone =
        Documents.at(
            ofKind("deployment.yaml", "Deployment").get(0),
            "spec",
            "template",
            "spec",
            "containers",
            0);
    Object sidecar =
        Documents.at(
            ofKind("sidecar.yaml", "Deployment").get(0),
            "spec",
            "template",
            "spec",
            "initContainers",
            0);

    for (Object container : List.of(alone, sidecar)) {
      Object rights = Documents.at(container, "securityContext");
      assertThat(Documents.at(rights, "runAsNonRoot")).isEqualTo(true);
      assertThat(Documents.at(rights, "readOnlyRootFilesystem")).isEqualTo(true);
      assertThat(Documents.at(rights, "capabilities", "drop")).isEqualTo(List.of("ALL"));
      assertThat(Documents.at(container, "livenessProbe", "httpGet", "path")).isEqualTo("/livez");
      assertThat(Documents.at(container, "readinessProbe", "httpGet", "path")).isEqualTo("/readyz");
    }
  }

  private static Collection<?> selected(Object object, Object... path) {
    return Documents.map(Documents.at(object, path)).entrySet();
  }

  private static List<Object> ofKind(String file, String kind) throws IOException {
    return Documents.read(Files.readString(FOLDER.resolve(file))).stream()
        .filter(object -> kind.equals(Documents.map(object).get("kind")))
        .toList();
  }
}
