package io.heatshield.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandParserTest {

  @Test
  void read_pipelinedArrays_givesThemInOrder() {
    assertThat(Wire.commands("*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n"))
        .containsExactly("PING", "GET|");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*0\r\n", "*-1\r\n", "*-7\r\n", "\r\n", "\n", "   \r\n"})
  void read_commandWithoutAWord_isSkipped(String nothing) {
    assertThat(Wire.commands(nothing + "PING\r\n")).containsExactly("PING");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*2147483648\r\n",
        "*1e3\r\n",
        "*+1\r\n",
        "*01\r\n",
        "*-0\r\n",
        "*\r\n",
        "* 1\r\n",
        "*1 \r\n",
        "*1\n",
        "*1\rX",
        "*9999999999999999999999",
        "*00",
        "*0x1\r\n",
        "*--1\r\n"
      })
  void read_malformedCount_isAFault(String head) {
    assertThat(Wire.commands(head)).containsExactly("fault: invalid multibulk length");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*1025\r\n", "*2147483647\r\n"})
  void read_countOverTheLimit_isAFaultBeforeAnyWord(String head) {
    assertThat(Wire.commands(head)).containsExactly("fault: multibulk length must be at most 1024");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$-1\r\n",
        "$-2\r\n",
        "$536870913\r\n",
        "$01\r\n",
        "$+1\r\n",
        "$\r\n",
        "$1e1\r\n",
        "$4\nPING",
        "$99999999999999999999"
      })
  void read_malformedLength_isAFault(String head) {
    assertThat(Wire.commands("*1\r\n" + head)).containsExactly("fault: invalid bulk length");
  }

  @Test
  void read_lengthOverTheLimit_isAFault() {
    assertThat(Wire.commands("*1\r\n$65537\r\n"))
        .containsExactly("fault: bulk length must be at most 65536");
  }

  @ParameterizedTest
  @CsvSource({":1,:", "*1,*", "+OK,+", "PING,P"})
  void read_anythingButABulkAsWord_isAFaultThatShowsTheMark(String word, char mark) {
    assertThat(Wire.commands("*1\r\n" + word + "\r\n"))
        .containsExactly("fault: expected '$', got '" + mark + "'");
  }

  @Test
  void read_unprintableMark_isEscapedInTheFault() {
    assertThat(Wire.commands("*1\r\n\u001b[2J"))
        .containsExactly("fault: expected '$', got '\\x1b'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PINGxx", "PING\n\n", "PING\r\r", "PINGG\r\n"})
  void read_badEndOfABulk_isAFault(String end) {
    assertThat(Wire.commands("*1\r\n$4\r\n" + end))
        .containsExactly("fault: expected CR LF after a bulk");
  }

  @Test
  void read_aMillionNestedArrays_isAFaultAtTheFirst() {
    assertThat(Wire.commands("*1\r\n".repeat(1_000_000)))
        .containsExactly("fault: expected '$', got '*'");
  }

  @Test
  void read_beforeAuthentication_allowsTenWordsOfSixteenKibibytes() {
    RespLimits limits = RespLimits.unauthenticated();
    byte[] word = new byte[16 << 10];
    byte[] allowed = Wire.command(word, word, word, word, word, word, word, word, word, word);

    assertThat(Wire.commands(limits, allowed)).hasSize(1).noneMatch(c -> c.startsWith("fault"));
    assertThat(Wire.commands(limits, Wire.bytes("*11\r\n")))
        .singleElement()
        .asString()
        .contains("fault");
    assertThat(Wire.commands(limits, Wire.bytes("*1\r\n$16385\r\n")))
        .containsExactly("fault: bulk length must be at most 16384");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "set a b~set|a|b",
        "  set   a  ~set|a",
        "set \"a b\" 'c d'~set|a b|c d",
        "set \"\\x41\\x4g\\\"\"~set|Ax4g\"",
        "set 'it\\'s'~set|it's",
        "a\"b\"~ab",
        "set \"\"~set|"
      })
  void read_line_splitsItAsRedisDoes(String line, String words) {
    assertThat(Wire.commands(line + "\r\n")).containsExactly(words);
    assertThat(Wire.commands(line + "\n")).containsExactly(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"set \"a", "set 'a", "set \"a\"b", "set 'a'b", "set \"a\\\""})
  void read_unbalancedQuotes_isAFault(String line) {
    assertThat(Wire.commands(line + "\r\n")).containsExactly("fault: unbalanced quotes in request");
  }

  @Test
  void read_zeroByteInALine_endsIt() {
    assertThat(Wire.commands("PING\0 a b\r\nPING\r\n")).containsExactly("PING", "PING");
  }

  @Test
  void read_lineOverTheLimit_isAFaultWithAndWithoutItsEnd() {
    String line = "a".repeat(70_000);

    assertThat(Wire.commands(line)).containsExactly("fault: too big inline request");
    assertThat(Wire.commands(line + "\r\n")).containsExactly("fault: too big inline request");
  }

  @Test
  void read_tlsHello_isAFaultThatNamesTls() {
    assertThat(Wire.commands("\u0016\u0003\u0001\u0002\u0000"))
        .containsExactly("fault: this port does not speak TLS");
  }

  @Test
  void read_announcedButNotSent_allocatesNothing() throws ProtocolException {
    var parser = new CommandParser(RespLimits.defaults());
    ByteBuf in = Unpooled.copiedBuffer(Wire.bytes("*1024\r\n$3\r\nSET\r\n$65536\r\n"));

    boolean whole = parser.read(in);

    assertThat(whole).isFalse();
    assertThat(parser.held()).isEqualTo(3);
    assertThat(parser.isWithin()).isTrue();
  }

  @Test
  void take_withoutACommand_fails() {
    var parser = new CommandParser(RespLimits.defaults());

    assertThatThrownBy(parser::take).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void read_everyCutOfManyKindsOfInput_givesTheSame() {
    for (String text :
        List.of(
            "*2\r\n$3\r\nGET\r\n$5\r\na\r\nbc\r\n*0\r\nPING x\r\n\n*1\r\n$4\r\nQUIT\r\n",
            "*1\r\n$4\r\nPINGxx",
            "PING\r\n*1\r\n:1\r\n",
            "PING\r\n*+1\r\n",
            "set 'a\r\n")) {
      byte[] bytes = Wire.bytes(text);
      List<String> whole = Wire.commands(RespLimits.defaults(), bytes);
      for (int size = 1; size < bytes.length; size++) {
        assertThat(Wire.commands(RespLimits.defaults(), Wire.pieces(bytes, size))).isEqualTo(whole);
      }
    }
  }
}
