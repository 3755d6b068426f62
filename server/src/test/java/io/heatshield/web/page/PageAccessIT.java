package io.heatshield.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.testkit.client.RawResp;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accessibility of the page: window sizes, light and dark, keyboard, screen reader. */
@Timeout(600)
class PageAccessIT {
  private static final List<String> VIEWS =
      List.of(
          "view=overview",
          "view=keys",
          "view=incidents",
          "view=savings",
          "view=parts",
          "view=settings",
          "key=cart:42&in=shop");

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
            "tables: [{ name: visitors, rules: [{ name: flood, when: { rate_above: 1 }, mode: enforce }] }]");
    browser = page.browser;
    HotKeyDetector shop = page.server().scopes().open("shop");
    PageFixture.heat(shop, "cart:42");
    PageFixture.heat(shop, "cart:" + "0123456789".repeat(20));
    try (RawResp client = RawResp.open("127.0.0.1", page.server().resp().port())) {
      for (int i = 0; i < 20; i++) {
        client.call("GET", "nowhere" + i);
        client.call("HS.TOUCH", "visitors", "203.0.113.9");
      }
    }
  }

  @AfterEach
  void stop() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void page_everyViewOnALaptop_breaksNoRuleAndFitsTheWidth() throws Exception {
    check(VIEWS, 1280, 800, "light");
  }

  @Test
  void overviewAndKeys_onADarkPhone_breakNoRuleAndFitTheWidth() throws Exception {
    check(List.of("view=overview", "view=keys"), 400, 800, "dark");
  }

  @Tag("thorough")
  @ParameterizedTest
  @CsvSource({
    "1280, 800, dark",
    "800, 900, light",
    "800, 900, dark",
    "400, 800, light",
    "400, 800, dark"
  })
  void page_everyViewInOtherSizes_breaksNoRuleAndFitsTheWidth(int width, int height, String scheme)
      throws Exception {
    check(VIEWS, width, height, scheme);
  }

  @Test
  void overview_onALaptop_answersWithoutScrolling() throws Exception {
    browser.show(1280, 800, "light");
    page.open("");
    browser.await("document.querySelectorAll('#map canvas').length > 0");
    browser.await("document.querySelectorAll('#now li.open').length === 2");

    assertThat(browser.value("document.documentElement.scrollHeight")).isEqualTo("800");
    assertThat(page.text("state")).isEqualTo("2 keys are hot.");
    assertThat(page.text("tile-hot")).isEqualTo("2");
  }

  @Test
  void page_byKeyboardAlone_opensAndClosesTheExplanation() throws Exception {
    page.open("view=keys");
    browser.await("document.querySelectorAll('#hot tr.hot').length === 2");

    browser.value("document.querySelector('#hot tr.hot button.key').focus()");
    browser.press("Enter", 13);
    browser.await("document.getElementById('explain').open");
    browser.press("Escape", 27);
    browser.await("!document.getElementById('explain').open");

    assertThat(browser.value("document.activeElement.className")).isEqualTo("key");
  }

  @Test
  void heatMap_byKeyboardAlone_describesEachCellAndExplainsItsKey() throws Exception {
    page.open("scope=shop");
    browser.await("document.querySelectorAll('#map canvas').length >= 2");

    browser.value("document.getElementById('map').focus()");
    browser.press("ArrowDown", 40);
    browser.press("ArrowUp", 38);
    page.awaitText("map-here", "in shop");
    browser.press("Enter", 13);

    browser.await("document.getElementById('explain').open");
  }

  @Test
  void page_toAScreenReader_hasNamesForAllControlsAndHeadersForAllColumns() throws Exception {
    page.open("view=keys");
    browser.await("document.querySelectorAll('#hot tr.hot').length === 2");

    List<AccessibleNode> heard = browser.heard();

    assertThat(heard).filteredOn(AccessibleNode::canBeUsed).isNotEmpty();
    assertThat(heard).filteredOn(AccessibleNode::canBeUsed).noneMatch(one -> one.name().isBlank());
    assertThat(heard).anyMatch(one -> one.is("StaticText", "2 keys are hot."));
    assertThat(heard).anyMatch(one -> one.is("button", "cart:42"));
    assertThat(heard)
        .filteredOn(one -> one.role().equals("columnheader"))
        .noneMatch(one -> one.name().isBlank())
        .anyMatch(one -> one.is("columnheader", "Requests/s"));
  }

  private void check(List<String> views, int width, int height, String scheme) throws Exception {
    browser.show(width, height, scheme);
    for (String view : views) {
      page.open(view);
      browser.await("document.querySelectorAll('[data-panel]:not([hidden])').length === 1");
      if (view.startsWith("key=")) {
        page.awaitText("explain-says", "in shop");
      }

      String shown = view + " at " + width + ", " + scheme;
      assertThat(Axe.violations(browser)).as(shown).isEmpty();
      assertThat(browser.value("document.documentElement.scrollWidth <= " + width))
          .as(shown)
          .isEqualTo("true");
    }
  }
}
