package io.heatshield.cli.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "22e9, 22000000000",
    "22E9, 22000000000",
    "2.2e10, 22000000000",
    "22_000_000_000, 22000000000",
    "'22,000,000,000', 22000000000",
    "22B, 22000000000",
    "22b, 22000000000",
    "22 G, 22000000000",
    "1.5K, 1500",
    "0.5M, 500000",
    "1T, 1000000000000",
  })
  void count_everyForm_isTheNumber(String text, long number) {
    assertThat(NumberText.count("--items", text, 1, 1L << 50)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "0",
        "1.5",
        "22bn",
        "22e9e9",
        "1e99",
        "NaN",
        "1_0",
        "_1",
        "1,00",
        "٣",
        "1/s",
        "1e-3",
        "99999999999999999999"
      })
  void count_anythingElse_namesRuleAndText(String text) {
    assertThatThrownBy(() -> NumberText.count("--items", text, 1, 1L << 50))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--items must be a whole number of 1 to ")
        .hasMessageContaining("such as 22e9, 22_000_000_000 or 22B")
        .hasMessageEndingWith(": " + text);
  }

  @ParameterizedTest
  @CsvSource({"0.001, 0.001", "0.1%, 0.001", "1e-3, 0.001", "5%, 0.05", "99.9%, 0.999"})
  void share_everyForm_isTheNumber(String text, double share) {
    assertThat(NumberText.share("--fpr", text)).isEqualTo(share);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "100%", "-0.1", "x", "", "%", "1e-999", "1e400%"})
  void share_anythingElse_namesRuleAndText(String text) {
    assertThatThrownBy(() -> NumberText.share("--fpr", text))
        .hasMessage("--fpr must be above 0 and below 1, such as 0.001 or 0.1%: " + text);
  }

  @ParameterizedTest
  @CsvSource({"1e6, 1000000", "1M/s, 1000000", "250000, 250000", "0, 0", "1.5/s, 1.5"})
  void perSecond_everyForm_isTheNumber(String text, double rate) {
    assertThat(NumberText.perSecond("--miss-rate", text)).isEqualTo(rate);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/s", "1/m", "-1", "fast"})
  void perSecond_anythingElse_namesRuleAndText(String text) {
    assertThatThrownBy(() -> NumberText.perSecond("--miss-rate", text))
        .hasMessageStartingWith("--miss-rate must be a rate per second")
        .hasMessageEndingWith(": " + text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "3 EUR", "NaN"})
  void price_noNumber_namesRuleAndText(String text) {
    assertThatThrownBy(() -> NumberText.price("--price", text))
        .hasMessage("--price must be a number of 0 or more: " + text);
  }
}
