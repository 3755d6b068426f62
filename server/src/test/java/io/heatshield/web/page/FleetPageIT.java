package io.heatshield.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.testkit.redis.RedisFixture;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a server in a fleet in a real browser; skipped where there is none. */
@Timeout(300)
class FleetPageIT {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void page_inAFleet_tellsOfItsNodesKeysAndSavings() throws Exception {
    Optional<Path> program = Browser.find();
    assumeTrue(program.isPresent(), "there is no Chromium on this machine");
    try (RedisFixture redis = RedisFixture.start()) {
      HeatshieldServer server = serve(redis);
      try (Browser browser =
          Browser.start(program.orElseThrow(), Files.createDirectory(folder.resolve("profile")))) {
        HotKeyDetector shop = server.scopes().open("shop");
        for (int i = 0; i < 7_000; i++) {
          shop.touch("cart:42");
        }
        browser.open(URI.create(server.http() + "#view=keys"));
        browser.await("document.getElementById('state').textContent === 'One key is hot.'");

        browser.value("document.getElementById('fleet').click()");
        browser.await(
            "document.getElementById('fleet-note').textContent.includes('requests 7,000')");

        assertThat(browser.value("document.getElementById('fleet-note').textContent"))
            .contains(
                "Fleet prod: 1 of 1 nodes live, 0 calls saved.",
                "shop: keys about 1, requests 7,000.");
        assertThat(browser.value("document.getElementById('hot').innerText")).contains("cart:42");
        browser.value("document.querySelector('nav a[data-view=parts]').click()");
        browser.await("document.getElementById('nodes').textContent.includes('live')");
      } finally {
        server.stop(Duration.ofSeconds(5));
      }
    }
  }

  private HeatshieldServer serve(RedisFixture redis) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state")
                + "' }\nredis: { url: 'redis://127.0.0.1:"
                + redis.port()
                + "', timeout: 1s }\nfleet: { name: prod, node: one, interval: 250ms }\n");
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    return HeatshieldServer.start(loader, valid.configuration(), file);
  }
}
