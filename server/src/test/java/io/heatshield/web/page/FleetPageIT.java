package io.heatshield.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.TestServer;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.file.Path;
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
  void page_inAFleet_showsNodesKeysAndSavings() throws Exception {
    Browser browser = Browser.orSkip();
    try (RedisFixture redis = RedisFixture.start();
        TestServer server = serve(redis)) {
      server.heat("shop", "cart:42");
      browser.open(server.at("#view=keys"));
      browser.await("document.getElementById('state').textContent === 'One key is hot.'");

      browser.value("document.getElementById('fleet').click()");
      browser.await("document.getElementById('fleet-note').textContent.includes('requests 7,000')");

      assertThat(browser.value("document.getElementById('fleet-note').textContent"))
          .contains(
              "Fleet prod: 1 of 1 nodes live, 0 calls saved.",
              "shop: keys about 1, requests 7,000.");
      assertThat(browser.value("document.getElementById('hot').innerText")).contains("cart:42");
      browser.value("document.querySelector('nav a[data-view=parts]').click()");
      browser.await("document.getElementById('nodes').textContent.includes('live')");
    }
  }

  private TestServer serve(RedisFixture redis) throws Exception {
    return TestServer.start(
        folder,
        TestServer.section(folder.resolve("state")),
        "redis: { url: 'redis://127.0.0.1:" + redis.port() + "', timeout: 1s }",
        "fleet: { name: prod, node: one, interval: 250ms }");
  }
}
