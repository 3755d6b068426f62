package io.heatshield.testkit.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class TraceReaderTest {

  @ParameterizedTest
  @ValueSource(strings = {"t.keys", "t.keys.gz", "t.keys.xz"})
  void next_eachCompression_returnsTheKeysUnchanged(String name) throws IOException {
    List<String> keys = keys(name, pack(name, "a\nb\r\n\n\u00ff\u0000\nlast"));

    assertThat(keys).containsExactly("a", "b\r", "", "\u00ff\u0000", "last");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.keys", "t.keys.gz", "t.keys.xz"})
  void next_emptyTrace_isAtItsEnd(String name) throws IOException {
    assertThat(keys(name, pack(name, ""))).isEmpty();
  }

  @Test
  void next_finalLineEnd_isNotAnotherKey() throws IOException {
    assertThat(keys("t", bytes("a\n"))).containsExactly("a");
    assertThat(keys("t", bytes("\n"))).containsExactly("");
  }

  @Test
  void next_linesAcrossTheBuffer_areComplete() throws IOException {
    var expected = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      expected.add("k".repeat(i * 1_009 + i) + i);
    }

    List<String> keys = keys("t", bytes(String.join("\n", expected)));

    assertThat(keys).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void next_longestLine_isReadAndOneByteMoreIsRejected(boolean ended) throws IOException {
    String end = ended ? "\n" : "";
    String longest = "k".repeat(TraceReader.MAX_KEY_BYTES);

    assertThat(keys("t", bytes("a\n" + longest + end))).containsExactly("a", longest);
    assertThatThrownBy(() -> keys("t", bytes("a\n" + longest + "k" + end)))
        .isInstanceOf(IOException.class)
        .hasMessage("t line 2 is longer than 65536 bytes");
  }

  @Test
  void next_tenMegabytesInOneLine_isRejectedBeforeItIsRead() throws IOException {
    var endless = new EndlessLine();

    try (TraceReader reader = TraceReader.open("t", endless)) {
      assertThatThrownBy(reader::next).hasMessageContaining("line 1 is longer than");
    }
    assertThat(endless.given).isLessThan(1 << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.keys.gz", "t.keys.xz"})
  void next_truncatedCompressedFile_isAnErrorThatNamesIt(String name) throws IOException {
    byte[] packed = pack(name, "one\ntwo\nthree\n");

    for (int length = 0; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThatThrownBy(() -> keys(name, cut))
          .as("cut at %d", length)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(name + " is cut off");
    }
    assertThatCode(() -> keys(name, packed)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.keys.gz", "t.keys.xz"})
  void next_damagedFile_isAnErrorThatNamesIt(String name) throws IOException {
    byte[] packed = pack(name, "one\ntwo\nthree\n");
    packed[packed.length / 2] ^= 0x55;

    assertThatThrownBy(() -> keys(name, packed))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(name);
  }

  @Test
  void open_otherCompressionThanItsName_isAnErrorThatNamesIt() {
    assertThatThrownBy(() -> keys("t.keys.gz", bytes("plain text, no gzip")))
        .hasMessageStartingWith("t.keys.gz cannot be decompressed");
    assertThatThrownBy(() -> keys("t.keys.xz", bytes("plain text, no xz at all")))
        .hasMessageStartingWith("t.keys.xz cannot be decompressed");
  }

  @Test
  void open_file_readsIt(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("t.keys.gz");
    Files.write(file, pack("t.keys.gz", "a\nb\n"));

    try (TraceReader reader = TraceReader.open(file)) {
      assertThat(reader.next()).isEqualTo(bytes("a"));
      assertThat(reader.next()).isEqualTo(bytes("b"));
      assertThat(reader.next()).isNull();
      assertThat(reader.next()).isNull();
      assertThat(reader.lines()).isEqualTo(2);
    }
  }

  private static List<String> keys(String name, byte[] packed) throws IOException {
    var keys = new ArrayList<String>();
    try (TraceReader reader = TraceReader.open(name, new ByteArrayInputStream(packed))) {
      for (byte[] key = reader.next(); key != null; key = reader.next()) {
        keys.add(new String(key, ISO_8859_1));
      }
    }
    return keys;
  }

  private static byte[] pack(String name, String text) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream out = packer(name, packed)) {
      out.write(bytes(text));
    }
    return packed.toByteArray();
  }

  private static OutputStream packer(String name, OutputStream out) throws IOException {
    if (name.endsWith(".gz")) {
      return new GZIPOutputStream(out);
    }
    return name.endsWith(".xz") ? new XZOutputStream(out, new LZMA2Options(1)) : out;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /** A line of ten megabytes that counts how many of its bytes were read. */
  private static final class EndlessLine extends InputStream {
    int given;

    @Override
    public int read() {
      return given++ < 10_000_000 ? 'k' : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      Arrays.fill(into, from, from + length, (byte) 'k');
      given += length;
      return given <= 10_000_000 ? length : -1;
    }
  }
}
