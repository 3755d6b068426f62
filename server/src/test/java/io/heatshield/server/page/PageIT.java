package io.heatshield.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.LoadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a whole server in a real browser; skipped where there is none. */
@Timeout(300)
class PageIT {
  private static final String TOKEN = "0123456789abcdef-token";
  private static final Path SHOTS = Path.of("target", "screenshots");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private HeatshieldServer server;

  @SuppressWarnings("NullAway.Init")
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    Optional<Path> program = Browser.find();
    assumeTrue(program.isPresent(), "there is no Chromium on this machine");
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state")
                + "', admin_token_file: '"
                + token
                + "' }\n");
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    server = HeatshieldServer.start(loader, valid.configuration(), file);
    browser =
        Browser.start(program.orElseThrow(), Files.createDirectory(folder.resolve("profile")));
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.stop(Duration.ofSeconds(5));
    }
  }

  @Test
  void page_keyTurnsHot_showsItExplainsItAndTakesAChange() throws Exception {
    HotKeyDetector shop = server.scopes().open("shop");
    browser.open(server.http());
    browser.await("document.getElementById('heat').textContent === 'Nothing is hot.'");

    heat(shop, "cart:42");
    browser.await("document.getElementById('heat').textContent === 'One key is hot.'");
    browser.value("document.querySelector('#hot tr.hot button.key').click()");
    browser.await("document.getElementById('explain-says').textContent.startsWith('hot in shop')");
    String facts = browser.value("document.getElementById('explain-facts').innerText");
    browser.screenshot(SHOTS.resolve("explain.png"));
    browser.value("document.getElementById('explain').close()");
    browser.value("document.getElementById('threshold').value = 7");
    browser.value("document.getElementById('token').value = '" + TOKEN + "'");
    browser.value("document.getElementById('change').requestSubmit()");
    browser.await("document.getElementById('changed-note').textContent.startsWith('Changed')");

    assertThat(facts).contains("Rate", "Hot since");
    assertThat(shop.settings().threshold()).isEqualTo(7);
    browser.screenshot(SHOTS.resolve("hot.png"));
  }

  @Test
  void page_keyFullOfMarkup_staysText() throws Exception {
    HotKeyDetector shop = server.scopes().open("shop");
    String nasty = "<img src=x onerror=alert(1)>\u202e</td>\"'&\n\u001b[31m";
    heat(shop, nasty);
    browser.open(server.http());

    browser.await("document.querySelectorAll('#hot tr.hot').length === 1");
    browser.value("document.querySelector('#hot tr.hot button.key').click()");
    browser.await("document.getElementById('explain-says').textContent.startsWith('hot in shop')");

    assertThat(browser.value("document.querySelectorAll('img').length")).isEqualTo("0");
    assertThat(browser.value("document.querySelector('#hot button.key').textContent"))
        .startsWith("<img src=x onerror=alert(1)>\\xe2\\x80\\xae</td>");
  }

  @Test
  void page_serverGoes_saysSo() throws Exception {
    browser.open(server.http());
    browser.await("document.getElementById('state').textContent === 'Ready'");
    String there = browser.value("document.getElementById('doors').innerText");

    server.stop(Duration.ofSeconds(5));
    browser.await("document.getElementById('state').dataset.state === 'gone'");

    assertThat(there).contains("127.0.0.1");
    assertThat(browser.value("document.getElementById('state').textContent"))
        .contains("The server is gone");
  }

  private static void heat(HotKeyDetector detector, String key) {
    for (int i = 0; i < 7_000; i++) {
      detector.touch(key);
    }
  }
}
