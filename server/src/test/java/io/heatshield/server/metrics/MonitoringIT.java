package io.heatshield.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.LoadResult;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
  private static final Pattern METRIC = Pattern.compile("\\bheatshield_[a-z0-9_]+");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void monitoring_everyMetricThatIsNamed_isThere() throws Exception {
    Set<String> named = new TreeSet<>(metrics(Files.readString(MONITORING.resolve("alerts.yaml"))));
    named.addAll(metrics(Files.readString(MONITORING.resolve("dashboard.json"))));

    Set<String> there;
    try (RedisFixture redis = RedisFixture.start()) {
      HeatshieldServer server = serve(redis.port());
      try {
        there = metrics(scrape(server));
      } finally {
        server.stop(Duration.ofSeconds(5));
      }
    }

    assertThat(named).hasSizeGreaterThan(30);
    assertThat(there).containsAll(named);
  }

  private HeatshieldServer serve(int redisPort) throws Exception {
    Path rules = Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        rules.resolve("web.yaml"),
        """
        domain: web
        descriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 9 } }]
        """);
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            String.join(
                "\n",
                "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0',"
                    + " state_dir: '"
                    + folder.resolve("state")
                    + "' }",
                "redis: { url: 'redis://127.0.0.1:" + redisPort + "', timeout: 1s }",
                "limits: { backend: redis, config: '" + rules + "', hot_keys: { mode: enforce } }",
                "tables: [{ name: clients, rules: [{ name: flood, when: { rate_above: 500 } }] }]",
                "webhook: { url: 'http://127.0.0.1:9/hook' }",
                "fleet: { name: prod }",
                ""));
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    HeatshieldServer server = HeatshieldServer.start(loader, valid.configuration(), file);
    HotKeyDetector shop = server.scopes().open("shop");
    for (int i = 0; i < 7_000; i++) {
      shop.touch("hot");
    }
    return server;
  }

  private static String scrape(HeatshieldServer server) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(server.http().resolve("/metrics")).build(),
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
        .body();
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
