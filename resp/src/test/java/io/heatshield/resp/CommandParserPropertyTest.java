package io.heatshield.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The parser reads what was sent, and where the bytes are split makes no difference. */
class CommandParserPropertyTest {

  @Property(tries = 300)
  void read_ofWhatWasWritten_isTheSameInAnyCut(
      @ForAll("commands") List<List<byte[]>> commands, @ForAll long cuts) {
    var all = new ByteArrayOutputStream();
    var expected = new ArrayList<String>();
    for (List<byte[]> command : commands) {
      byte[][] words = command.toArray(byte[][]::new);
      all.writeBytes(Wire.command(words));
      expected.add(Wire.shown(words));
    }

    List<String> seen = Wire.commands(RespLimits.defaults(), cut(all.toByteArray(), cuts));

    assertThat(seen).isEqualTo(expected);
  }

  @Property(tries = 1000)
  void read_ofAlmostCommands_isTheSameInAnyCut(
      @ForAll("almost") List<String> parts, @ForAll long cuts) {
    byte[] bytes = Wire.bytes(String.join("", parts));

    List<String> whole = Wire.commands(RespLimits.defaults(), bytes);

    assertThat(Wire.commands(RespLimits.defaults(), cut(bytes, cuts))).isEqualTo(whole);
    assertThat(Wire.commands(RespLimits.defaults(), Wire.pieces(bytes, 1))).isEqualTo(whole);
  }

  @Provide
  Arbitrary<List<List<byte[]>>> commands() {
    return Arbitraries.bytes()
        .array(byte[].class)
        .ofMaxSize(40)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .list()
        .ofMaxSize(8);
  }

  @Provide
  Arbitrary<List<String>> almost() {
    return Arbitraries.of(
            "*",
            "$",
            "1",
            "2",
            "0",
            "-",
            "\r\n",
            "\r",
            "\n",
            "*1\r\n",
            "$1\r\na\r\n",
            "*2\r\n$3\r\nGET\r\n",
            "GET a\r\n",
            "\"",
            "'",
            "\\x",
            " ",
            "\0",
            ":1\r\n",
            "PING",
            "\u0016")
        .list()
        .ofMaxSize(12);
  }

  private static byte[][] cut(byte[] bytes, long seed) {
    var random = new Random(seed);
    var pieces = new ArrayList<byte[]>();
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(9));
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return pieces.toArray(byte[][]::new);
  }
}
