package io.heatshield.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.server.WholeServer;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metrics, alert rules and dashboard, checked by promtool where it is installed. */
@Timeout(120)
class PromtoolIT {
  private static final Path MONITORING = Path.of("..", "docs", "monitoring");
  private static final Pattern EXPRESSION = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private String promtool = "";

  @BeforeEach
  void find() {
    Optional<Path> found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .map(part -> Path.of(part, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "there is no promtool on this machine");
    promtool = found.orElseThrow().toString();
  }

  @Test
  void alerts_byPromtool_areValid() throws Exception {
    Said said = run("", "check", "rules", MONITORING.resolve("alerts.yaml").toString());

    assertThat(said.code()).as(said.text()).isZero();
  }

  @Test
  void metrics_checkedByPromtool_areValid() throws Exception {
    String scraped;
    try (var whole = WholeServer.start(folder)) {
      scraped = whole.get("/metrics");
    }

    Said said = run(scraped, "check", "metrics");

    // The one complaint is about a name that every Java process with Micrometer has.
    assertThat(scraped).contains("\nheatshield_build_info{", "\njvm_memory_used_bytes{");
    assertThat(said.text().lines())
        .allMatch(line -> line.startsWith("system_cpu_count "), "is about system_cpu_count");
  }

  @Test
  void dashboard_everyQuery_isPromQl() throws Exception {
    List<String> queries =
        EXPRESSION
            .matcher(Files.readString(MONITORING.resolve("dashboard.json")))
            .results()
            .map(match -> match.group(1).replaceAll("\\\\(.)", "$1"))
            .map(query -> query.replaceAll("\\$__\\w+", "5m").replaceAll("\\$\\w+", "x"))
            .toList();
    var rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    for (int i = 0; i < queries.size(); i++) {
      rules.append("  - record: query_").append(i).append("\n    expr: |\n      ");
      rules.append(queries.get(i)).append('\n');
    }
    Path file = Files.writeString(folder.resolve("queries.yaml"), rules);

    Said said = run("", "check", "rules", file.toString());

    assertThat(queries).hasSizeGreaterThan(20);
    assertThat(said.code()).as(said.text()).isZero();
  }

  private Said run(String input, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(promtool));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }

  private record Said(int code, String text) {}
}
