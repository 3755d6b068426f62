package io.heatshield.config.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.config.value.InvalidValueException;
import io.heatshield.redis.RedisUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KindTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "r:6379",
        "http://:hunter2@r",
        "redis://:hunter2@",
        "redis://:hunter2@r:70000",
        "redis://:hunter2@300.1.1.1",
        "redis://:hunter2@-r-:1",
        "redis://:hunter2@a,b",
        "redis://:hunter2@r/x",
        "redis-cluster://:hunter2@r/1",
        "redis-sentinel://:hunter2@r",
        "redis://:hunter2@r?x=1",
        "redis://:hunter2%@r",
        "redis://:hunter2@x@r",
      })
  void read_badRedisUrl_isRefusedWithoutShowingIt(String text) {
    assertThatThrownBy(() -> Kind.of(RedisUrl.class).read(text))
        .isInstanceOfSatisfying(
            InvalidValueException.class,
            e -> assertThat(e.problem() + e.hint()).isNotBlank().doesNotContain("hunter2"));
  }

  @Test
  void read_misspeltSchemeOfARedisUrl_suggestsTheNearest() {
    assertThatThrownBy(() -> Kind.of(RedisUrl.class).read("redis-clutser://r"))
        .isInstanceOfSatisfying(
            InvalidValueException.class,
            e -> assertThat(e.hint()).isEqualTo("did you mean redis-cluster://?"));
  }
}
