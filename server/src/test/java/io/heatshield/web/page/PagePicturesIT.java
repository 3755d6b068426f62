package io.heatshield.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the pictures of the guide from the real page, in front of a real Redis with traffic.
 *
 * <p>It runs for two minutes and writes into the checkout, so it has to be asked for by {@code
 * -Dpage.pictures=docs/guide/images}.
 */
@Timeout(600)
@EnabledIfSystemProperty(named = "page.pictures", matches = ".+")
class PagePicturesIT {
  private static final int CLIENTS = 12;
  private static final int SCENE_SECONDS = 25;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final AtomicInteger scene = new AtomicInteger();

  @Test
  void page_underTraffic_isPhotographedAtThreeSizes() throws Exception {
    Path images =
        Path.of(System.getProperty("house.root"))
            .resolve(System.getProperty("page.pictures", "target"));
    ExecutorService traffic = Executors.newFixedThreadPool(CLIENTS);
    try (RedisFixture redis = RedisFixture.start();
        PageFixture page = PageFixture.start(folder, configuration(redis))) {
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        traffic.execute(() -> use(page.server().resp().port(), client));
      }
      Browser browser = page.browser;
      browser.show(1280, 800, "light");
      page.open("range=5&token=" + PageFixture.TOKEN);
      passScene();
      page.awaitText("state", "hot");
      passScene();
      page.click("input[name='shield.hot_reads.mode'][value=enforce]");
      page.awaitText("changed-note", "is now enforce");
      passScene();
      passScene();

      photograph(page, images.resolve("page-1280.png"), 1280, 800, "light", "");
      photograph(
          page,
          images.resolve("page-explain.png"),
          1280,
          800,
          "light",
          "&key=product:4711&in=shield");
      photograph(page, images.resolve("page-800.png"), 800, 900, "light", "");
      photograph(page, images.resolve("page-400.png"), 400, 800, "dark", "");
    } finally {
      traffic.shutdownNow();
    }

    assertThat(images.resolve("page-1280.png")).isNotEmptyFile();
    assertThat(Files.size(images.resolve("page-400.png"))).isPositive();
  }

  private static String configuration(RedisFixture redis) {
    return String.join(
        "\n",
        "shield: { url: 'redis://127.0.0.1:" + redis.port() + "' }",
        "detect: { window: 5s, top_k: 64 }");
  }

  private static void photograph(
      PageFixture page, Path file, int width, int height, String scheme, String more)
      throws Exception {
    Browser browser = page.browser;
    browser.show(width, height, scheme);
    page.open("range=5" + more);
    browser.await("document.querySelectorAll('.uplot').length >= 2");
    browser.await("document.querySelectorAll('#map canvas').length >= 3");
    browser.await("document.querySelectorAll('#now li.open').length >= 1");
    page.awaitText("modes", "calls/s");
    if (!more.isEmpty()) {
      browser.await("document.getElementById('explain-facts').childElementCount > 0");
    }
    browser.screenshot(file);
  }

  private void passScene() {
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(SCENE_SECONDS));
    scene.incrementAndGet();
  }

  /** Uses the keys of a shop; one product turns popular, later its stock is written often. */
  private void use(int port, int client) {
    var random = new SplittableRandom(client);
    try (RawResp redis = RawResp.open("127.0.0.1", port)) {
      redis.call("SET", "product:4711", "a popular product");
      while (!Thread.currentThread().isInterrupted()) {
        double draw = random.nextDouble();
        if (draw < (scene.get() >= 1 ? 0.5 : 0.05)) {
          redis.call("GET", "product:4711");
        } else if (scene.get() >= 3 && draw < 0.6) {
          redis.call("INCR", "stock:4711");
        } else if (draw < 0.75) {
          redis.call("GET", "product:" + random.nextInt(40));
        } else if (draw < 0.9) {
          redis.call("GET", "cart:" + (int) (1 / Math.max(1e-3, random.nextDouble())));
        } else {
          redis.call("SET", "session:" + random.nextInt(500), "x");
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(4));
      }
    } catch (Exception e) {
      // The traffic ends with the server.
      Thread.currentThread().interrupt();
    }
  }
}
