package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis://r redis://r:6379",
        "redis://r/ redis://r:6379",
        "rediss://[::1]:1/2 rediss://[::1]:1/2",
        "redis://secret@r redis://:***@r:6379",
        "redis://u:p%40%2F@r redis://u:***@r:6379",
        "redis-cluster://a,b:2?tls=true redis-cluster://a:6379,b:2?tls=true",
        "redis-sentinel://:p@a,b:2/3#m redis-sentinel://:***@a:26379,b:2/3#m",
      })
  void parse_url_showsItWithoutItsPassword(String text, String shown) {
    RedisUrl url = RedisUrl.parse(text);

    assertThat(url).hasToString(shown);
    assertThat(RedisUrl.parse(url.unmasked())).isEqualTo(url);
  }

  @Test
  void parse_credentials_areDecoded() {
    RedisUrl url = RedisUrl.parse("redis://us%2Fer:p%40ss+word@r");

    assertThat(url.user()).isEqualTo("us/er");
    assertThat(url.password()).isEqualTo("p@ss+word");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "r:6379",
        "http://:hunter2@r",
        "redis://:hunter2@",
        "redis://:hunter2@r:70000",
        "redis://:hunter2@a,b",
        "redis://:hunter2@r/x",
        "redis://:hunter2@r/-1",
        "redis-cluster://:hunter2@r/1",
        "redis-sentinel://:hunter2@r",
        "redis://:hunter2@r#m",
        "redis://:hunter2@r?x=1",
        "redis://:hunter2%@r",
        "redis://:hunter2@x@r",
        "redis://:hunter2/x@r",
      })
  void parse_badUrl_isRefusedWithoutShowingIt(String text) {
    assertThatThrownBy(() -> RedisUrl.parse(text))
        .isInstanceOfSatisfying(
            Malformed.class,
            e -> assertThat(e.problem() + e.hint()).isNotBlank().doesNotContain("hunter2"));
  }

  @Test
  void parse_misspeltScheme_suggestsTheNearest() {
    assertThatThrownBy(() -> RedisUrl.parse("redis-clutser://r"))
        .isInstanceOfSatisfying(
            Malformed.class, e -> assertThat(e.hint()).isEqualTo("did you mean redis-cluster://?"));
  }
}
