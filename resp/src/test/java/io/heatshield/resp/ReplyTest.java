package io.heatshield.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyTest {

  static Stream<Arguments> forms() {
    List<Reply> pair = List.of(Reply.bulk("a"), Reply.ONE);
    return Stream.of(
        Arguments.of(Reply.OK, "+OK\r\n", "+OK\r\n"),
        Arguments.of(Reply.error("ERR no\r\n+OK"), "-ERR no  +OK\r\n", "-ERR no  +OK\r\n"),
        Arguments.of(Reply.of(0L), ":0\r\n", ":0\r\n"),
        Arguments.of(Reply.of(42L), ":42\r\n", ":42\r\n"),
        Arguments.of(Reply.of(999L), ":999\r\n", ":999\r\n"),
        Arguments.of(Reply.of(1000L), ":1000\r\n", ":1000\r\n"),
        Arguments.of(Reply.of(100L), ":100\r\n", ":100\r\n"),
        Arguments.of(Reply.of(-7L), ":-7\r\n", ":-7\r\n"),
        Arguments.of(
            Reply.of(Long.MIN_VALUE), ":-9223372036854775808\r\n", ":-9223372036854775808\r\n"),
        Arguments.of(Reply.bulk("a\r\nb"), "$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n"),
        Arguments.of(Reply.NULL, "$-1\r\n", "_\r\n"),
        Arguments.of(Reply.NULL_ARRAY, "*-1\r\n", "_\r\n"),
        Arguments.of(Reply.EMPTY, "*0\r\n", "*0\r\n"),
        Arguments.of(Reply.of(true), ":1\r\n", "#t\r\n"),
        Arguments.of(Reply.of(false), ":0\r\n", "#f\r\n"),
        Arguments.of(Reply.of(0.9), "$3\r\n0.9\r\n", ",0.9\r\n"),
        Arguments.of(Reply.of(3.0), "$1\r\n3\r\n", ",3\r\n"),
        Arguments.of(Reply.of(Double.POSITIVE_INFINITY), "$3\r\ninf\r\n", ",inf\r\n"),
        Arguments.of(Reply.of(Double.NEGATIVE_INFINITY), "$4\r\n-inf\r\n", ",-inf\r\n"),
        Arguments.of(Reply.of(Double.NaN), "$3\r\nnan\r\n", ",nan\r\n"),
        Arguments.of(Reply.text("hi"), "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n"),
        Arguments.of(Reply.array(pair), "*2\r\n$1\r\na\r\n:1\r\n", "*2\r\n$1\r\na\r\n:1\r\n"),
        Arguments.of(Reply.map(pair), "*2\r\n$1\r\na\r\n:1\r\n", "%1\r\n$1\r\na\r\n:1\r\n"),
        Arguments.of(Reply.set(pair), "*2\r\n$1\r\na\r\n:1\r\n", "~2\r\n$1\r\na\r\n:1\r\n"),
        Arguments.of(Reply.push(pair), "*2\r\n$1\r\na\r\n:1\r\n", ">2\r\n$1\r\na\r\n:1\r\n"),
        Arguments.of(Reply.NOTHING, "", ""));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void write_inBothProtocols_usesTheTypesOfEach(Reply reply, String resp2, String resp3) {
    assertThat(written(reply, false)).isEqualTo(resp2);
    assertThat(written(reply, true)).isEqualTo(resp3);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void read_ofWhatWasWritten_isTheSameByteByByte(Reply reply, String resp2, String resp3)
      throws ProtocolException {
    for (String text : List.of(resp2, resp3)) {
      var parser = new ReplyParser(1024);
      ByteBuf in = Unpooled.buffer();
      Reply read = null;
      for (byte b : Wire.bytes(text)) {
        assertThat(read).isNull();
        in.writeByte(b);
        read = parser.read(in);
      }
      if (!text.isEmpty()) {
        assertThat(read).isNotNull();
        assertThat(
                written(
                    java.util.Objects.requireNonNull(read),
                    text.equals(resp3) && !text.equals(resp2)))
            .isEqualTo(text);
      }
    }
  }

  @Test
  void read_hostileReplies_areFaults() {
    for (String text :
        List.of(
            "$2147483647\r\n",
            "*2147483647\r\n",
            "?\r\n",
            ":x\r\n",
            ",x\r\n",
            "$2\r\nabcd",
            "*-2\r\n",
            "$-5\r\n",
            "=1\r\na\r\n")) {
      assertThatThrownBy(() -> new ReplyParser(1024).read(Unpooled.copiedBuffer(Wire.bytes(text))))
          .isInstanceOf(ProtocolException.class);
    }
    ByteBuf deep = Unpooled.copiedBuffer(Wire.bytes("*1\r\n".repeat(100_000)));
    assertThatThrownBy(() -> new ReplyParser(1024).read(deep)).hasMessageContaining("too deep");
  }

  @Test
  void map_ofAnOddNumber_isRefused() {
    assertThatThrownBy(() -> Reply.map(List.of(Reply.OK)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String written(Reply reply, boolean resp3) {
    ByteBuf out = Unpooled.buffer();
    reply.write(out, resp3);
    return out.toString(StandardCharsets.ISO_8859_1);
  }
}
