package io.heatshield.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.WholeServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alert rules of docs/monitoring against the metrics of a whole server. */
@Timeout(120)
class MonitoringIT {
  private static final Path MONITORING = Path.of("..", "docs", "monitoring");
  private static final Pattern METRIC = Pattern.compile("\\b(heatshield|jvm|process)_[a-z0-9_]+");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void monitoring_everyNamedMetric_exists() throws Exception {
    Set<String> named = new TreeSet<>(metrics(Files.readString(MONITORING.resolve("alerts.yaml"))));
    named.addAll(metrics(Files.readString(MONITORING.resolve("dashboard.json"))));

    Set<String> there;
    try (var whole = WholeServer.start(folder)) {
      there = metrics(whole.get("/metrics"));
    }

    assertThat(named).hasSizeGreaterThan(30);
    assertThat(there).containsAll(named);
  }

  private static Set<String> metrics(String text) {
    var names = new TreeSet<String>();
    Matcher matcher = METRIC.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }
}
