package io.heatshield.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeaHashTest {

  @ParameterizedTest
  @CsvSource({
    "'', c920ca43256fdcb9",
    "bar, d93201be41e734cd",
    "foobar, 4a398afeafa68440",
    "users:123, e567131619dff3f1",
    "to be or not to be, 1b993a826f4ae575",
  })
  void label_knownText_isThePublishedHash(String text, String digits) {
    byte[] bytes = text.getBytes(UTF_8);

    String label = SeaHash.label(bytes);

    assertThat(label).isEqualTo(digits);
  }
}
