package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chart, checked by Helm where it is installed.
 *
 * <p>To write the rendered manifests again, run with {@code -Dmanifests.write=true}.
 */
class HelmIT {
  private static final Path CHARTS = Documents.DEPLOY.resolve("helm");
  private static final Optional<Path> HELM = Documents.program("helm");

  @BeforeAll
  static void find() {
    assumeTrue(HELM.isPresent(), "there is no helm on this machine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"heatshield", "sidecar-example"})
  void lint_ofTheChart_findsNothing(String chart) throws Exception {
    Output lint = Output.of(command(List.of("lint", "--strict", CHARTS.resolve(chart).toString())));

    assertThat(lint.code()).as(lint.text()).isZero();
  }

  @Test
  void template_ofTheChart_isTheManifestOfTheTree() throws Exception {
    Manifest manifest = Manifest.of("deployment.yaml");

    assertThat(manifest.text()).isEqualTo(manifest.with(render("heatshield", "heatshield")));
  }

  @Test
  void template_ofTheSidecar_isTheManifestOfTheTree() throws Exception {
    Manifest manifest = Manifest.of("sidecar.yaml");

    assertThat(manifest.text()).isEqualTo(manifest.with(render("shop", "sidecar-example")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serviceMonitor.enabled=true,serviceMonitor.labels.release=prometheus",
        "service.grpc=true,service.type=LoadBalancer,replicas=1",
        "podDisruptionBudget.enabled=false,priorityClassName=high,nodeSelector.disk=ssd",
        "config.server.tls.cert=/tls/tls.crt,config.server.tls.key=/tls/tls.key",
        "config.shield.hot_reads.mode=enforce,hosts={heat.example.com}",
        "mode=sidecar,shield.url=",
        "podAnnotations.a=b,podLabels.team=shop,imagePullSecrets[0].name=registry",
        "env[0].name=A,env[0].value=b,extraVolumes[0].name=tls,extraVolumes[0].secret.secretName=tls"
            + ",extraVolumeMounts[0].name=tls,extraVolumeMounts[0].mountPath=/tls"
      })
  void template_withOtherValues_isValidAndSoIsTheConfiguration(String values) throws Exception {
    List<Object> objects =
        Documents.read(render("edge", "heatshield", "--set", values, "--namespace", "prod"));

    assertThat(objects).isNotEmpty();
    for (Object object : objects) {
      assertThat(Documents.faults("kubernetes.schema.json", object)).as("%s", object).isEmpty();
      if ("ConfigMap".equals(Documents.at(object, "kind"))) {
        Documents.assertConfiguration(Documents.at(object, "data", "heatshield.yaml").toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replica=3", "mode=daemonset", "shield.url=http://redis", "hosts={a:80}"})
  void template_withAWrongValue_isRefused(String value) throws Exception {
    Output refused =
        Output.of(
            command(
                List.of(
                    "template", "edge", CHARTS.resolve("heatshield").toString(), "--set", value)));

    assertThat(refused.code()).isNotZero();
    assertThat(refused.text()).contains("values don't meet the specifications of the schema");
  }

  private static String render(String release, String chart, String... more) throws Exception {
    var arguments = new ArrayList<>(List.of("template", release));
    arguments.add(CHARTS.resolve(chart).toString());
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--kube-version", "1.29.0"));
    Output rendered = Output.withoutErrors(command(arguments));
    assertThat(rendered.code()).isZero();
    return rendered.text();
  }

  private static List<String> command(List<String> arguments) {
    var command = new ArrayList<>(List.of(HELM.orElseThrow().toString()));
    command.addAll(arguments);
    return command;
  }
}
