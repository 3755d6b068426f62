package io.heatshield.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The scanners against what was written, however the bytes are cut. */
class ScannerPropertyTest {
  private static final int[] LENGTHS = {0, 1, 7, 300, 20_000, 70_000};

  @Property(tries = 30)
  void requests_cutAnywhere_arePassedOnWholeWithTheirWords(
      @ForAll long seed, @ForAll @IntRange(min = 2000, max = 50_000) int largest) throws Exception {
    var random = new Random(seed);
    var sent = new ByteArrayOutputStream();
    var commands = new ArrayList<List<byte[]>>();
    for (int c = 0; c < 8; c++) {
      var words = new ArrayList<byte[]>();
      int count = 1 + random.nextInt(6);
      sent.writeBytes(ascii("*" + count + "\r\n"));
      for (int w = 0; w < count; w++) {
        byte[] word = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
        random.nextBytes(word);
        words.add(word);
        sent.writeBytes(ascii("$" + word.length + "\r\n"));
        sent.writeBytes(word);
        sent.writeBytes(ascii("\r\n"));
      }
      commands.add(words);
    }

    byte[] all = sent.toByteArray();
    var passed = new ByteArrayOutputStream();
    var scanner = new RequestScanner();
    ByteBuf in = Unpooled.buffer();
    int found = 0;
    int held = 0;
    for (int at = 0; at < all.length; ) {
      int piece = Math.min(all.length - at, 1 + random.nextInt(largest));
      in.writeBytes(all, at, piece);
      at += piece;
      boolean goOn = true;
      while (goOn && in.isReadable()) {
        if (scanner.read(in)) {
          check(scanner, commands.get(found++));
          move(in, scanner.size(), passed);
          scanner.next();
        } else {
          int bytes = in.readableBytes() > RequestScanner.PIECE ? scanner.pass(in) : 0;
          move(in, bytes, passed);
          goOn = bytes > 0;
        }
      }
      in.discardReadBytes();
      held = Math.max(held, in.readableBytes());
    }

    assertThat(found).isEqualTo(commands.size());
    assertThat(passed.toByteArray()).isEqualTo(all);
    assertThat(held).isLessThanOrEqualTo(RequestScanner.PIECE);
  }

  @Property(tries = 60)
  void replies_cutAnywhere_endWhereTheyEnd(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 2000) int largest) throws Exception {
    var random = new Random(seed);
    var text = new StringBuilder();
    var ends = new ArrayList<Integer>();
    var kinds = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      int from = text.length();
      write(text, random, 0);
      ends.add(text.length());
      kinds.add(text.substring(from, from + 1));
    }
    byte[] sent = text.toString().getBytes(StandardCharsets.ISO_8859_1);

    var scanner = new ReplyScanner();
    var found = new ArrayList<Integer>();
    var seen = new ArrayList<String>();
    for (int at = 0; at < sent.length; ) {
      int piece = Math.min(sent.length - at, 1 + random.nextInt(largest));
      ByteBuf in = Unpooled.wrappedBuffer(sent, at, piece);
      int from = 0;
      while (from >= 0 && from < piece) {
        from = scanner.end(in, from);
        if (from >= 0) {
          found.add(at + from);
          seen.add(String.valueOf(scanner.mark()));
        }
      }
      at += piece;
    }

    assertThat(found).isEqualTo(ends);
    assertThat(seen).isEqualTo(kinds);
    assertThat(scanner.isWithin()).isFalse();
  }

  private static void check(RequestScanner scanner, List<byte[]> words) {
    assertThat(scanner.count()).isEqualTo(words.size());
    for (int i = 0; i < words.size(); i++) {
      byte[] word = scanner.word(i);
      boolean kept = !scanner.isPassed() || words.get(i).length <= RequestScanner.WORD;
      if (kept) {
        assertThat(word).isEqualTo(words.get(i));
      } else if (word != null) {
        assertThat(word).isEqualTo(words.get(i));
      }
    }
  }

  private static void move(ByteBuf in, int bytes, ByteArrayOutputStream to) {
    byte[] moved = new byte[bytes];
    in.readBytes(moved);
    to.writeBytes(moved);
  }

  private static void write(StringBuilder text, Random random, int depth) {
    int kind = random.nextInt(depth > 3 ? 7 : 11);
    int count = random.nextInt(4);
    switch (kind) {
      case 0 -> text.append("+OK\r\n");
      case 1 -> text.append("-ERR no\r\n");
      case 2 -> text.append(":-17\r\n");
      case 3 -> text.append("$-1\r\n");
      case 4 -> text.append("_\r\n");
      case 5 -> text.append("$7\r\n*2\r\n$1\n\r\n");
      case 6 -> text.append("=5\r\ntxt:x\r\n");
      case 7 -> aggregate(text, random, depth, '*', count, count);
      case 8 -> aggregate(text, random, depth, '%', count, 2 * count);
      case 9 -> aggregate(text, random, depth, '~', count, count);
      default -> aggregate(text, random, depth, '>', count, count);
    }
  }

  private static void aggregate(
      StringBuilder text, Random random, int depth, char mark, int count, int elements) {
    text.append(mark).append(count).append("\r\n");
    for (int i = 0; i < elements; i++) {
      write(text, random, depth + 1);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
