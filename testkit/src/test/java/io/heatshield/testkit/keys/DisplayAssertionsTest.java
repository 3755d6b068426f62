package io.heatshield.testkit.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DisplayAssertionsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "caf\u00e9 \u65e5\u672c \ud83d\udd25", "\\x1b[31m", "<b>", "a\\\\b"})
  void assertShownSafely_visibleText_passes(String shown) {
    assertThatCode(() -> DisplayAssertions.assertSafeToDisplay(shown)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[31m",
        "\n",
        "\r",
        "\t",
        "\0",
        "\u007f",
        "\u009b",
        "\u0085",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\u200f",
        "\u200b",
        "\u061c",
        "\ufeff",
        "\u00ad",
        "\u00a0",
        "\u3164",
        "\u0301",
        "\ufe0f",
        "\ue000",
        "\uffff",
        "\ud800",
        "\udc00",
        "\udb40\udc41"
      })
  void assertShownSafely_hiddenOrControlCharacter_failsAndNamesIt(String hidden) {
    assertThatThrownBy(() -> DisplayAssertions.assertSafeToDisplay("ab" + hidden))
        .isInstanceOf(AssertionError.class)
        .hasMessage("U+%04X is not escaped at index 2", hidden.codePointAt(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "&lt;img src=x&gt;", "&#39;&#x27;&quot;", "a &amp; b"})
  void assertShownSafelyInHtml_escaped_passes(String fragment) {
    assertThatCode(() -> DisplayAssertions.assertSafeInHtml(fragment)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<b", "a>", "\"", "'", "`", "&", "a & b", "&lt", "&#x;", "\u202e"})
  void assertShownSafelyInHtml_raw_fails(String fragment) {
    assertThatThrownBy(() -> DisplayAssertions.assertSafeInHtml(fragment))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void assertShownSafely_rawCorpus_passesOnlyKeysThatAreSafeInALine() {
    List<String> passed =
        NastyKeys.all().stream()
            .filter(key -> passes(new String(key.bytes(), UTF_8)))
            .map(NastyKey::name)
            .toList();

    assertThat(passed)
        .contains("admin", "script", "spreadsheet formula")
        .doesNotContainAnyElementsOf(
            Set.of("ANSI colour", "CR LF", "NUL", "right to left override", "every byte"))
        .hasSizeLessThan(NastyKeys.all().size() * 2 / 3);
  }

  private static boolean passes(String text) {
    try {
      DisplayAssertions.assertSafeToDisplay(text);
      return true;
    } catch (AssertionError raw) {
      return false;
    }
  }
}
