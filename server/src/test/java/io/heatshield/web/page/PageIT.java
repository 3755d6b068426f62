package io.heatshield.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.keys.DisplayAssertions;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private PageFixture page;

  @SuppressWarnings("NullAway.Init")
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    page =
        PageFixture.start(
            folder,
            """
            tables: [{ name: visitors, rules: [{ name: flood, when: { rate_above: 1 }, mode: enforce }] }]
            stores: [{ name: main }]
            detect: { top_k: 64 }
            savings: { price_per_million_calls: 2.5, currency: EUR }
            """);
    browser = page.browser;
  }

  @AfterEach
  void stop() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void page_keyTurnsHot_showsItInEveryViewAndExplainsIt() throws Exception {
    HotKeyDetector shop = page.server().scopes().open("shop");
    page.open("");
    page.awaitText("state", "Nothing is hot.");

    PageFixture.heat(shop, "cart:42");
    page.awaitText("state", "One key is hot.");
    browser.await("document.querySelectorAll('#now li.open').length === 1");
    browser.await("document.querySelectorAll('#map canvas').length >= 1");
    page.click("#now button.key");
    browser.await("document.getElementById('explain-says').textContent.startsWith('hot in shop')");

    assertThat(page.text("explain-facts")).contains("Requests", "Hot since", "Usually", "Peak");
    assertThat(page.text("explain-context")).isEqualTo("No detail is kept for this key.");
    assertThat(browser.value("location.hash")).contains("key=cart%3A42", "in=shop");
    page.open("view=incidents");
    page.awaitText("incidents", "What happened");
    assertThat(page.text("incidents")).contains("cart:42", "Why", "What was done", "What to do");
  }

  @Test
  void page_linkToAKey_opensItsExplanation() throws Exception {
    PageFixture.heat(page.server().scopes().open("shop"), "cart:42");

    page.open("view=keys&q=cart&scope=shop&key=cart:42");

    browser.await("document.getElementById('explain-says').textContent.startsWith('hot in shop')");
    assertThat(browser.value("document.getElementById('q').value")).isEqualTo("cart");
    assertThat(browser.value("document.getElementById('scope').value")).isEqualTo("shop");
  }

  @Test
  void page_tokenInTheLink_isRemovedFromTheAddressAndUsed() throws Exception {
    page.open("view=settings&token=" + PageFixture.TOKEN);
    String address = browser.value("location.href");
    HotKeyDetector shop = page.server().scopes().open("shop");

    browser.value("document.getElementById('threshold').value = 7");
    browser.value("document.getElementById('change').requestSubmit()");
    page.awaitText("threshold-note", "Changed");
    page.awaitText("winner", "detect.threshold = 7 instead of 100 (default)");

    assertThat(address).doesNotContain("token").contains("view=settings");
    assertThat(browser.value("sessionStorage.length + localStorage.length")).isEqualTo("1");
    assertThat(shop.settings().threshold()).isEqualTo(7);
  }

  @Test
  void page_changeIsRejected_showsTheReason() throws Exception {
    page.open("view=settings&token=" + PageFixture.TOKEN);

    browser.value("document.getElementById('window').value = 'nonsense'");
    browser.value("document.getElementById('change').requestSubmit()");
    page.awaitText("threshold-note", "Not changed");
    String refusal = page.text("threshold-note");
    browser.value("sessionStorage.setItem('heatshield.token', 'not the token')");
    browser.value("document.getElementById('change').requestSubmit()");
    page.awaitText("threshold-note", "admin token");

    assertThat(refusal).contains("detect.window").doesNotContain("{", "}");
    assertThat(page.text("threshold-note")).startsWith("Not changed.").doesNotContain("{");
  }

  @Test
  void page_protectionSwitched_changesTheModeAndMarksIt() throws Exception {
    page.open("token=" + PageFixture.TOKEN);
    String enforce = "input[name='stores[main].write_limit.mode'][value=enforce]";
    browser.await("document.querySelector(\"" + enforce + "\") !== null");

    page.click(enforce);
    page.awaitText("changed-note", "stores[main].write_limit.mode is now enforce");

    browser.await("document.querySelector(\"" + enforce + "\").checked");
    browser.await(
        "fetch('/api/v1/series').then((answer) => answer.json())"
            + ".then((view) => view.mode_changes.some((one) => one.to === 'enforce'))");
  }

  @Test
  void page_moreKeysThanAPage_searchesAllOfThemOnTheServer() throws Exception {
    HotKeyDetector shop = page.server().scopes().open("shop");
    for (int i = 0; i < 200; i++) {
      shop.touch("cart:" + i, 7_000);
    }
    page.open("view=keys&scope=shop");
    page.awaitText("keys-shown", "1–50 of 200");

    page.click("#after");
    page.awaitText("keys-shown", "51–100 of 200");
    browser.value("document.getElementById('q').value = ':199'");
    browser.value("document.getElementById('q').dispatchEvent(new Event('input'))");
    page.awaitText("keys-shown", "1–1 of 1 that match, 200 tracked");

    assertThat(page.text("hot")).contains("cart:199");
    assertThat(browser.value("location.hash")).contains("q=%3A199");
  }

  @Test
  void page_keyFullOfMarkup_staysText() throws Exception {
    HotKeyDetector shop = page.server().scopes().open("shop");
    PageFixture.heat(shop, "<img src=x onerror=alert(1)>\u202e</td>\"'&\n\u001b[31m");
    page.open("");

    browser.await("document.querySelectorAll('#now li.open').length === 1");
    browser.await("document.querySelectorAll('#map canvas').length >= 1");
    page.click("#now button.key");
    browser.await("document.getElementById('explain-says').textContent.startsWith('hot in shop')");

    assertThat(browser.value("document.querySelectorAll('img').length")).isEqualTo("0");
    assertThat(browser.value("document.querySelector('#now button.key').textContent"))
        .startsWith("<img src=x onerror=alert(1)>\\xe2\\x80\\xae</td>");
  }

  @Test
  void page_corpusOfNastyKeys_isShownSafelyAndCanBeExplained() throws Exception {
    HotKeyDetector shop = page.server().scopes().open("shop");
    for (NastyKey key : NastyKeys.all()) {
      byte[] bytes = key.bytes();
      if (bytes.length < 4096) {
        shop.touch(bytes, 7_000);
      }
    }
    page.open("view=keys");
    browser.await("document.querySelectorAll('#hot tr.hot button.key').length >= 5");

    String shown =
        browser.value(
            "[...document.querySelectorAll('#hot button.key')].map((one) => one.textContent).join('\\n')");
    String failed =
        browser.value(
            "(async () => { let failed = 0;"
                + " for (const one of [...document.querySelectorAll('#hot tr.hot button.key')].slice(0, 5)) {"
                + " one.click(); const says = document.getElementById('explain-says');"
                + " for (let i = 0; i < 400 && says.textContent.startsWith('Loading'); i++) {"
                + " await new Promise((done) => setTimeout(done, 50)); }"
                + " failed += /^(hot in shop|This key is too long)/.test(says.textContent) ? 0 : 1;"
                + " document.getElementById('explain').close();"
                + " await new Promise((done) => setTimeout(done, 50)); } return failed; })()");

    shown.lines().forEach(DisplayAssertions::assertSafeToDisplay);
    assertThat(failed).isEqualTo("0");
    assertThat(browser.value("document.querySelectorAll('img, iframe, main script').length"))
        .isEqualTo("0");
  }

  @Test
  void page_serverRestarts_showsThatAndNewHotKeys() throws Exception {
    page.open("");
    page.awaitText("state", "Nothing is");

    page.stopServer();
    page.awaitText("state", "The server is unavailable");
    page.startServerAgain();
    page.awaitText("state", "Nothing is");
    PageFixture.heat(page.server().scopes().open("shop"), "after:restart");
    page.awaitText("now", "after:restart");

    assertThat(browser.value("document.body.dataset.stale")).isEqualTo("false");
  }

  @Test
  void page_storesTablesSavingsScopesAndPorts_areShown() throws Exception {
    try (RawResp client = RawResp.open("127.0.0.1", page.server().resp().port())) {
      client.call("SET", "there", "1");
      for (int i = 0; i < 50; i++) {
        client.call("GET", "there");
        client.call("GET", "nowhere" + i);
        client.call("HS.TOUCH", "visitors", "203.0.113.9");
      }
    }
    page.open("view=parts");
    page.awaitText("stores", "main (memory)");
    page.awaitText("tables", "203.0.113.9");
    page.awaitText("errors", "main");

    assertThat(page.text("stores")).contains("filter", "at most 1 GiB");
    assertThat(page.text("tables")).contains("by flood");
    assertThat(page.text("errors")).contains("store");
    page.open("view=savings");
    page.awaitText("savings", "Answer reads of absent keys");
    assertThat(page.text("savings")).contains("enforce", "EUR");
    assertThat(page.text("savings-note")).contains("2.50 EUR");
    page.open("view=settings");
    page.awaitText("ports", "127.0.0.1");
    assertThat(page.text("winner"))
        .startsWith("The settings of the file and the defaults are in effect");
  }

  @Test
  void page_tenThousandKeysPerSecond_showsTheNextHotKey() throws Exception {
    HotKeyDetector shop = page.server().scopes().open("shop");
    shop.reconfigure(Duration.ofSeconds(1), 1);
    page.open("view=keys");

    var traffic = Executors.newSingleThreadScheduledExecutor();
    try {
      var second = new AtomicInteger();
      var next = new AtomicBoolean();
      var unused =
          traffic.scheduleAtFixedRate(
              () -> turn(shop, second.getAndIncrement(), next.get()), 0, 1, TimeUnit.SECONDS);
      browser.await("document.querySelectorAll('#hot tr.hot').length >= 10");
      String first = page.text("answered");
      browser.await("document.getElementById('answered').textContent !== '" + first + "'");
      next.set(true);
      page.awaitText("hot", "cart:42");
    } finally {
      traffic.shutdownNow();
    }

    assertThat(Long.parseLong(browser.value("document.querySelectorAll('#hot tr').length")))
        .isLessThanOrEqualTo(50);
  }

  /** Touches new keys, and {@code cart:42} in every second if it is hot. */
  private static void turn(HotKeyDetector detector, int second, boolean hotKey) {
    for (int i = 0; i < 10_000; i++) {
      detector.touch("key:" + second + ":" + i);
    }
    if (hotKey) {
      PageFixture.heat(detector, "cart:42");
    }
  }

  @Test
  void page_allFiles_areSmall() throws Exception {
    Path site = Path.of("..", "web", "src", "main", "resources", "io", "heatshield", "web", "page");
    try (Stream<Path> files = Files.list(site)) {
      assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(300_000);
    }
  }
}
