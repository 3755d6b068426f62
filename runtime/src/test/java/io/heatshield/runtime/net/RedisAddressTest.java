package io.heatshield.runtime.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.config.RedisUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisAddressTest {
  @ParameterizedTest
  @CsvSource({
    "redis://127.0.0.1:7000, redis://127.0.0.1:7000",
    "redis://h, redis://h:6379",
    "redis://u:p%40%2F@h:7000/5, redis://h:7000/5",
    "redis://:p@[::1]:7000, redis://[::1]:7000",
    "rediss://h:7000, rediss://h:7000",
    "'redis-cluster://a:1,b:2', 'redis-cluster://a:1,b:2'",
    "'redis-cluster://a:1,b:2?tls=true', 'rediss-cluster://a:1,b:2'",
    "'redis-sentinel://a:1,b:2/3#mymaster', 'redis-sentinel://a:1,b:2/mymaster/3'",
  })
  void of_aSetting_isTheSamePlaceForTheClient(String setting, String address) {
    assertThat(RedisAddress.of(RedisUrl.parse(setting))).hasToString(address);
  }

  @Test
  void of_whatTheClientCannotReach_saysWhyWithoutASecret() {
    RedisUrl url = RedisUrl.parse("redis-sentinel://u:hidden@a:1#my%20master");

    assertThatThrownBy(() -> RedisAddress.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("master")
        .hasMessageNotContaining("hidden");
  }
}
