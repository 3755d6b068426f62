package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class LineReaderPropertyTest {

  @Property(tries = 2000)
  void next_anyTextInAnyPieces_isAsTheNaiveSplitterHasIt(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 7) int piece,
      @ForAll @IntRange(min = 1, max = 6) int maxLine,
      @ForAll @IntRange(min = 3, max = 9) int room)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    var lines = new LineReader(new Pieces(bytes, piece), maxLine + room, maxLine);

    var seen = new ArrayList<String>();
    while (lines.next()) {
      int length = lines.to() - lines.from();
      seen.add(new String(lines.buffer(), lines.from(), length, StandardCharsets.ISO_8859_1));
    }

    List<String> all = naive(text);
    List<String> whole = all.stream().filter(line -> line.length() <= maxLine).toList();
    assertThat(seen).isEqualTo(whole);
    assertThat(lines.count()).isEqualTo(all.size());
    assertThat(lines.tooLong()).isEqualTo(all.size() - whole.size());
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('a', 'b', '\n', '\r').ofMaxLength(40);
  }

  private static List<String> naive(String text) {
    var lines = new ArrayList<String>();
    int from = 0;
    while (from < text.length()) {
      int lf = text.indexOf('\n', from);
      String line = lf < 0 ? text.substring(from) : text.substring(from, lf);
      lines.add(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
      from = lf < 0 ? text.length() : lf + 1;
    }
    return lines;
  }

  /** A stream that returns a limited number of bytes per read. */
  private static final class Pieces extends InputStream {
    private final InputStream in;
    private final int piece;

    Pieces(byte[] bytes, int piece) {
      this.in = new ByteArrayInputStream(bytes);
      this.piece = piece;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return in.read(to, offset, Math.min(piece, length));
    }
  }
}
