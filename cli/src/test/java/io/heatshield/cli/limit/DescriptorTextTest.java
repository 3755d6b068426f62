package io.heatshield.cli.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorTextTest {

  @Test
  void parse_severalEntries_keepsTheirOrder() {
    RateLimitDescriptor descriptor = DescriptorText.parse("plan=free,user=");

    assertThat(descriptor.getEntriesList())
        .extracting(entry -> entry.getKey() + "/" + entry.getValue())
        .containsExactly("plan/free", "user/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b", "a=b,c=d", "a\\,b=c\\=d,e=\\\\", "path=/x/y"})
  void of_parsed_isTheSameText(String text) {
    assertThat(DescriptorText.of(DescriptorText.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a=b=c", "=b", "a=b,", "a\\=b"})
  void parse_partThatIsNotAPair_isRejected(String text) {
    assertThatThrownBy(() -> DescriptorText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key=value");
  }
}
