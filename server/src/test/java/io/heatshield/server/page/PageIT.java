package io.heatshield.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.LoadResult;
import io.heatshield.server.data.RawResp;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import io.heatshield.testkit.keys.ShownText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
    server = serve(0);
    browser =
        Browser.start(program.orElseThrow(), Files.createDirectory(folder.resolve("profile")));
  }

  private HeatshieldServer serve(int port) throws Exception {
    Path token = folder.resolve("token");
    if (!Files.exists(token)) {
      Files.writeString(token, TOKEN);
      Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    }
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            String.join(
                "\n",
                "server: { http: '127.0.0.1:"
                    + port
                    + "', resp: '127.0.0.1:0', state_dir: '"
                    + folder.resolve("state")
                    + "', admin_token_file: '"
                    + token
                    + "' }",
                "tables: [{ name: visitors, rules: [{ name: flood, when: { rate_above: 1 }, mode: enforce }] }]",
                "savings: { price_per_million_calls: 2.5, currency: EUR }",
                ""));
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    return HeatshieldServer.start(loader, valid.configuration(), file);
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
    String line = browser.value("document.getElementById('explain-line').textContent");
    browser.screenshot(SHOTS.resolve("explain.png"));
    browser.value("document.getElementById('explain').close()");
    browser.value("document.getElementById('threshold').value = 7");
    browser.value("document.getElementById('token').value = '" + TOKEN + "'");
    browser.value("document.getElementById('change').requestSubmit()");
    browser.await("document.getElementById('changed-note').textContent.startsWith('Changed')");
    browser.await(
        "document.getElementById('winner').textContent.includes("
            + "'detect.threshold = 7 in place of 100 (default)')");

    assertThat(facts).contains("Rate", "Hot since", "Its baseline", "Peak");
    assertThat(line).isEqualTo("limits: { hot_keys: { mode: enforce } }");
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
  void page_corpusOfNastyKeys_isShownSafelyAndCanBeExplained() throws Exception {
    HotKeyDetector shop = server.scopes().open("shop");
    for (NastyKey key : NastyKeys.all()) {
      byte[] bytes = key.bytes();
      for (int i = 0; i < 7_000 && bytes.length < 4096; i++) {
        shop.touch(bytes);
      }
    }
    browser.open(server.http());
    browser.await("document.querySelectorAll('#hot tr.hot button.key').length >= 5");

    String shown =
        browser.value(
            "[...document.querySelectorAll('#hot button.key')].map((one) => one.textContent).join('\\n')");
    browser.value(
        "(async () => { let failed = 0;"
            + " for (const one of [...document.querySelectorAll('#hot tr.hot button.key')].slice(0, 5)) {"
            + " one.click(); const says = document.getElementById('explain-says');"
            + " for (let i = 0; i < 400 && says.textContent.startsWith('Asking'); i++) {"
            + " await new Promise((done) => setTimeout(done, 50)); }"
            + " failed += /^(hot in shop|This key is too long)/.test(says.textContent) ? 0 : 1;"
            + " document.getElementById('explain').close(); } window.failed = failed; })()");
    browser.await("window.failed !== undefined");

    shown.lines().forEach(ShownText::assertShownSafely);
    assertThat(browser.value("window.failed")).isEqualTo("0");
    assertThat(browser.value("document.querySelectorAll('img, iframe, main script').length"))
        .isEqualTo("0");
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

  @Test
  void page_serverComesBack_reconnectsAndShowsWhatIsHotThen() throws Exception {
    browser.open(server.http());
    browser.await("document.getElementById('state').textContent === 'Ready'");
    int port = server.http().getPort();

    server.stop(Duration.ofSeconds(5));
    browser.await("document.getElementById('state').dataset.state === 'gone'");
    server = serve(port);
    browser.await("document.getElementById('state').textContent === 'Ready'");
    heat(server.scopes().open("shop"), "after:restart");
    browser.await("document.querySelectorAll('#hot tr.hot').length === 1");

    assertThat(browser.value("document.body.dataset.stale")).isEqualTo("false");
    assertThat(browser.value("document.querySelector('#hot tr.hot').innerText"))
        .contains("after:restart");
  }

  @Test
  void page_storesTablesSavingsAndErrors_areShown() throws Exception {
    try (RawResp client = RawResp.open("127.0.0.1", server.resp().port())) {
      client.call("SET", "there", "1");
      for (int i = 0; i < 50; i++) {
        client.call("GET", "there");
        client.call("GET", "nowhere" + i);
        client.call("HS.TOUCH", "visitors", "203.0.113.9");
      }
    }
    browser.open(server.http());

    browser.await("document.querySelectorAll('#stores tr').length === 1");
    browser.await("document.querySelectorAll('#tables tr').length === 1");
    browser.await("document.querySelectorAll('#errors tr').length >= 1");
    browser.await("document.querySelectorAll('#savings tr').length >= 1");

    assertThat(text("stores")).contains("main (memory)", "filter", "at most 1 GiB");
    assertThat(text("tables")).contains("203.0.113.9", "by flood");
    assertThat(text("savings")).contains("absence", "enforce", "EUR");
    assertThat(text("savings-note")).contains("2.50 EUR");
    assertThat(text("errors")).contains("main");
    assertThat(text("winner")).startsWith("The file and the defaults are in effect");
  }

  @Test
  void page_byKeyboardAlone_opensAndClosesTheExplanation() throws Exception {
    heat(server.scopes().open("shop"), "cart:42");
    browser.open(server.http());
    browser.await("document.querySelectorAll('#hot tr.hot').length === 1");

    browser.value("document.querySelector('#hot tr.hot button.key').focus()");
    browser.press("Enter", 13);
    browser.await("document.getElementById('explain').open");
    browser.await("document.getElementById('explain-says').textContent.startsWith('hot in shop')");
    String unlabelled =
        browser.value(
            "[...document.querySelectorAll('input, select, button')].filter("
                + "(one) => one.labels.length === 0 && one.textContent.trim() === '').length");
    browser.press("Escape", 27);
    browser.await("!document.getElementById('explain').open");

    assertThat(unlabelled).isEqualTo("0");
    assertThat(browser.value("document.activeElement.className")).isEqualTo("key");
  }

  @Test
  void page_toAScreenReader_hasANameForAllThatCanBeUsedAndHeadsForAllColumns() throws Exception {
    heat(server.scopes().open("shop"), "cart:42");
    browser.open(server.http());
    browser.await("document.querySelectorAll('#hot tr.hot').length === 1");
    browser.await("document.querySelectorAll('#stores tr').length === 1");

    List<AccessibleNode> heard = browser.heard();

    assertThat(heard).filteredOn(AccessibleNode::canBeUsed).isNotEmpty();
    assertThat(heard).filteredOn(AccessibleNode::canBeUsed).noneMatch(one -> one.name().isBlank());
    assertThat(heard).anyMatch(one -> one.is("StaticText", "One key is hot."));
    assertThat(heard).anyMatch(one -> one.is("button", "cart:42"));
    assertThat(heard)
        .filteredOn(one -> one.role().equals("columnheader"))
        .noneMatch(one -> one.name().isBlank())
        .anyMatch(one -> one.is("columnheader", "Rate"));
  }

  @Test
  void page_tenThousandKeysTurnEverySecond_goesOnAndShowsTheNextOne() throws Exception {
    HotKeyDetector shop = server.scopes().open("shop");
    shop.retune(Duration.ofSeconds(1), 1);
    browser.open(server.http());
    browser.await("document.querySelectorAll('#scope option').length > 1");

    var traffic = Executors.newSingleThreadScheduledExecutor();
    try {
      var second = new AtomicInteger();
      var unused =
          traffic.scheduleAtFixedRate(
              () -> turn(shop, second.getAndIncrement()), 0, 1, TimeUnit.SECONDS);
      browser.await("document.querySelectorAll('#hot tr.hot').length >= 10");
      String first = text("answered");
      browser.await("document.getElementById('answered').innerText !== '" + first + "'");
      heat(shop, "cart:42");
      browser.await("document.getElementById('hot').innerText.includes('cart:42')");
    } finally {
      traffic.shutdownNow();
    }

    assertThat(Long.parseLong(browser.value("document.querySelectorAll('#hot tr').length")))
        .isLessThanOrEqualTo(50);
    assertThat(text("state")).isEqualTo("Ready");
  }

  private static void turn(HotKeyDetector detector, int second) {
    for (int i = 0; i < 10_000; i++) {
      detector.touch("key:" + second + ":" + i);
    }
  }

  @Test
  void page_onAPhoneDarkAndLight_fitsTheWidth() throws Exception {
    heat(server.scopes().open("shop"), "cart:" + "0123456789".repeat(20));
    browser.show(360, "dark");
    browser.open(server.http());
    browser.await("document.querySelectorAll('#hot tr.hot').length === 1");
    browser.await("document.querySelectorAll('#stores tr').length === 1");

    String phone = browser.value("document.documentElement.scrollWidth <= 360");
    browser.screenshot(SHOTS.resolve("phone-dark.png"));
    browser.show(1100, "light");
    browser.screenshot(SHOTS.resolve("light.png"));

    assertThat(phone).isEqualTo("true");
    assertThat(siteBytes()).isLessThan(300_000);
  }

  private static long siteBytes() throws Exception {
    Path site = Path.of("src", "main", "resources", "io", "heatshield", "server", "http", "site");
    try (Stream<Path> files = Files.list(site)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private String text(String id) throws Exception {
    return browser.value("document.getElementById('" + id + "').innerText");
  }

  private static void heat(HotKeyDetector detector, String key) {
    for (int i = 0; i < 7_000; i++) {
      detector.touch(key);
    }
  }
}
