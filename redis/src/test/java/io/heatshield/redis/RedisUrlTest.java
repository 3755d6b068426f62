package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.redis.connection.Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {

  @Test
  void parse_allPartsOfASingleServer_areKept() {
    RedisUrl url = RedisUrl.parse("rediss://us%3Aer:p%40ss+%2F@db.example:7000/3");

    assertThat(url.isTls()).isTrue();
    assertThat(url.kind()).isEqualTo(RedisUrl.Kind.SINGLE);
    assertThat(url.hosts()).containsExactly(new Address("db.example", 7000));
    assertThat(url.login().user()).isEqualTo("us:er");
    assertThat(url.login().password()).isEqualTo("p@ss+/");
    assertThat(url.database()).isEqualTo(3);
  }

  @Test
  void parse_minimalUrl_usesDefaults() {
    RedisUrl url = RedisUrl.parse("redis://[::1]/");

    assertThat(url.hosts()).containsExactly(new Address("::1", 6379));
    assertThat(url.login().user()).isNull();
    assertThat(url.login().password()).isNull();
    assertThat(url.database()).isZero();
    assertThat(url).hasToString("redis://[::1]:6379");
  }

  @Test
  void parse_sentinels_keepsMasterAndDatabase() {
    RedisUrl url = RedisUrl.parse("redis-sentinel://:secret@a:1,b:2/my-master/5");

    assertThat(url.kind()).isEqualTo(RedisUrl.Kind.SENTINEL);
    assertThat(url.hosts()).containsExactly(new Address("a", 1), new Address("b", 2));
    assertThat(url.master()).isEqualTo("my-master");
    assertThat(url.database()).isEqualTo(5);
    assertThat(url.login().user()).isNull();
    assertThat(url).hasToString("redis-sentinel://a:1,b:2/5#my-master");
  }

  @Test
  void parse_aClusterInTls_keepsAllHosts() {
    RedisUrl url = RedisUrl.parse("rediss-cluster://a:1,b:2,c:3");

    assertThat(url.isTls()).isTrue();
    assertThat(url.kind()).isEqualTo(RedisUrl.Kind.CLUSTER);
    assertThat(url.hosts()).hasSize(3);
  }

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
        "rediss-cluster://a:1,b:2 redis-cluster://a:1,b:2?tls=true",
        "redis-sentinel://:p@a,b:2/3#m redis-sentinel://:***@a:26379,b:2/3#m",
        "redis-sentinel://a/m/3 redis-sentinel://a:26379/3#m",
      })
  void masked_everyForm_hidesThePasswordAndReadsAgain(String text, String masked) {
    RedisUrl url = RedisUrl.parse(text);

    assertThat(url.masked()).isEqualTo(masked);
    assertThat(RedisUrl.parse(url.unmasked())).isEqualTo(url).hasSameHashCodeAs(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "http://secret@h",
        "redis://",
        "redis://:secret@x@h",
        "redis://:secret/x@h",
        "redis://:secret@h#m",
        "redis-sentinel://:secret@h/3",
        "redis-sentinel://:secret@h:1#my%20master",
        "redis://:secret@h:0",
        "redis://:secret@h:65536",
        "redis://:secret@h:x",
        "redis://:secret@h:1,i:2",
        "redis://:secret@h/x",
        "redis://:secret@h/70000",
        "redis://:secret@h/1/2",
        "redis://:secret@h?x=1",
        "redis://:secret#@h",
        "redis://:secret%zz@h",
        "redis://:secret@h\r\nAUTH",
        "redis-sentinel://:secret@h:1",
        "redis-sentinel://:secret@h:1/",
        "redis-cluster://:secret@h:1/1",
        "redis-cluster://:secret@h:1,,i:2",
      })
  void parse_aFaultyAddress_isRefusedWithoutShowingIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedisUrl.parse(text))
        .withMessageMatching("(url|host|port|database) must .*")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }
}
