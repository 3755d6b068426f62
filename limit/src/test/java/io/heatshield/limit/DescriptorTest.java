package io.heatshield.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "v", "a,b", "a=b", "\\", "a\\,b=", ",=\\,=", "\u00e9\u4e2d"})
  void parse_ofItsText_isTheSame(String part) {
    Descriptor descriptor =
        Descriptor.of(new DescriptorEntry(part, "x"), new DescriptorEntry("k", part));

    Descriptor parsed = Descriptor.parse(descriptor.text());

    assertThat(parsed).isEqualTo(descriptor);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "k=v,", ",k=v", "k=v=w", "k=v\\", "k=v,,l=w"})
  void parse_invalidText_isNull(String text) {
    Descriptor parsed = Descriptor.parse(text);

    assertThat(parsed).isNull();
  }

  @Test
  void parse_tooManyEntries_isNull() {
    String most = "k=v,".repeat(Descriptor.MAX_ENTRIES - 1) + "k=v";

    Descriptor parsed = Descriptor.parse(most + ",k=v");

    assertThat(parsed).isNull();
    assertThat(Descriptor.parse(most)).isNotNull();
  }
}
