package io.heatshield.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

class ReplyReaderTest {

  @Test
  void read_everyKindOfReply_isItsValue() {
    assertThat(read(":-9223372036854775808\r\n")).isEqualTo(Long.MIN_VALUE);
    assertThat(read("+OK\r\n")).isEqualTo(bytes("OK"));
    assertThat(read("$3\r\na\r\n\r\n")).isEqualTo(bytes("a\r\n"));
    assertThat(read("$-1\r\n")).isNull();
    assertThat(read("*-1\r\n")).isNull();
    assertThat(read("*2\r\n:1\r\n*1\r\n:2\r\n")).isEqualTo(List.of(1L, List.of(2L)));
  }

  @Test
  void read_anError_isThrownWithItsText() {
    assertThatExceptionOfType(JedisDataException.class)
        .isThrownBy(() -> read("-OOM command not allowed\r\n"))
        .withMessage("OOM command not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        ":\r\n",
        ":1",
        ":1\r",
        ":1\n",
        ":1\rx",
        ":-\r\n",
        ":+1\r\n",
        ":1e3\r\n",
        ":9223372036854775808\r\n",
        ":123456789012345678901\r\n",
        "+OK",
        "$-2\r\n",
        "$8388609\r\n",
        "$2147483647\r\n",
        "$9223372036854775807\r\n",
        "$3\r\nab",
        "$2\r\nabc\r\n",
        "*-2\r\n",
        "*2147483647\r\n",
        "*262145\r\n",
        "*576460752303423488\r\n",
        "*2\r\n:1\r\n",
        "*1\r\n-ERR inside\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
      })
  void read_invalidReply_isRejected(String text) {
    assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> read(text));
  }

  @Test
  void read_anEndlessLine_isRejectedInBoundedMemory() {
    byte[] line = new byte[ReplyReader.MAX_LINE + 2];
    Arrays.fill(line, (byte) 'x');
    line[0] = '-';

    assertThatExceptionOfType(JedisConnectionException.class)
        .isThrownBy(() -> ReplyReader.read(stream(line)));
  }

  private static @Nullable Object read(String text) {
    return ReplyReader.read(stream(bytes(text)));
  }

  private static RedisInputStream stream(byte[] bytes) {
    return new RedisInputStream(new ByteArrayInputStream(bytes));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
