package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.key.KeyText;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PrintableKeyTest {

  @Test
  void path_ofThePrintedFormOfAnyKey_isTheKey() {
    HexFormat percent = HexFormat.of().withPrefix("%");

    for (NastyKey key : NastyKeys.all()) {
      if (key.bytes().length <= KeyText.MAX_BYTES) {
        assertThat(PrintableKey.path(KeyText.of(key.bytes())))
            .as(key.name())
            .contains(percent.formatHex(key.bytes()));
      }
    }
  }

  @Test
  void path_ofATruncatedForm_isEmpty() {
    String plain = KeyText.of("x".repeat(1000));

    assertThat(PrintableKey.path(plain)).isEmpty();
    assertThat(PrintableKey.path("x\\...(1000 bytes, 171fdf0ceb11627f)")).isEmpty();
  }
}
