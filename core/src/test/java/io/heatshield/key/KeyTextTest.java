package io.heatshield.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.DisplayAssertions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KeyTextTest {

  @Test
  void of_visibleText_isUnchanged() {
    String text = "user:42 {\"ü\", 日本, 😀}";

    String shown = KeyText.of(text);

    assertThat(shown).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "61 0d 0a 62, a\\x0d\\x0ab",
    "1b 5b 32 4a, \\x1b[2J",
    "00, \\x00",
    "5c 78 30 30, \\\\x00",
    "e2 80 ae 61, \\xe2\\x80\\xaea",
    "e2 80 a8, \\xe2\\x80\\xa8",
    "c2 a0, \\xc2\\xa0",
    "c2 85, \\xc2\\x85",
    "65 cc 81, e\\xcc\\x81",
    "ff fe, \\xff\\xfe",
    "c0 80, \\xc0\\x80",
    "ed a0 80, \\xed\\xa0\\x80",
    "f4 90 80 80, \\xf4\\x90\\x80\\x80",
    "e3 85 a4, \\xe3\\x85\\xa4",
    "f0 9f 98, \\xf0\\x9f\\x98",
  })
  void of_invisibleBytes_areEscaped(String hex, String expected) {
    byte[] key = HexFormat.ofDelimiter(" ").parseHex(hex);

    String shown = KeyText.of(key);

    assertThat(shown).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("io.heatshield.testkit.keys.NastyKeys#all")
  void of_nastyKey_isShownSafely(NastyKey key) {
    DisplayAssertions.assertSafeToDisplay(KeyText.of(key.bytes()));
  }

  @Test
  void of_longKey_isTruncatedAfterACharacterAndHasItsLength() {
    byte[] key = ("x".repeat(511) + "ü" + "y".repeat(1_000_000)).getBytes(UTF_8);

    String shown = KeyText.of(key);

    assertThat(shown).isEqualTo("x".repeat(511) + "\\...(1000513 bytes)");
  }

  @Test
  void of_keyOfTheLargestLength_isNotTruncated() {
    String key = "x".repeat(KeyText.MAX_BYTES);

    String shown = KeyText.of(key);

    assertThat(shown).isEqualTo(key);
  }
}
