package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads commands that are sent as a line of text.
 *
 * <p>A line is split into words as Redis does: at white space, with {@code "..."} in which escapes
 * are recognized and {@code '...'} in which only {@code \'} is. A zero byte ends the line.
 */
final class InlineCommand {
  private static final int TLS_HANDSHAKE = 0x16;

  private int searched;

  /**
   * Returns whether a command that begins with this byte is a line of text.
   *
   * @throws ProtocolException if the client begins a TLS handshake
   */
  static boolean isInline(byte first) throws ProtocolException {
    if (first == TLS_HANDSHAKE) {
      throw new ProtocolException("this port does not speak TLS");
    }
    return first != '*';
  }

  /**
   * Reads the line at the reader index, and moves the reader index past it.
   *
   * @return the words, perhaps none; null if the line is incomplete
   */
  @Nullable List<byte[]> read(ByteBuf in, int maxBytes) throws ProtocolException {
    int from = in.readerIndex();
    int end = in.indexOf(from + searched, in.writerIndex(), (byte) '\n');
    int bytes = (end < 0 ? in.writerIndex() : end) - from;
    if (bytes > maxBytes) {
      throw new ProtocolException("too big inline request");
    }
    if (end < 0) {
      searched = bytes;
      return null;
    }
    searched = 0;
    byte[] line = new byte[bytes > 0 && in.getByte(end - 1) == '\r' ? bytes - 1 : bytes];
    in.readBytes(line).readerIndex(end + 1);
    return new Splitter(line).split();
  }

  private static final class Splitter {
    private final byte[] line;
    private int at;

    Splitter(byte[] line) {
      this.line = line;
    }

    List<byte[]> split() throws ProtocolException {
      var found = new ArrayList<byte[]>();
      while (true) {
        while (peek() != 0 && isWordEnd()) {
          at++;
        }
        if (peek() == 0) {
          return found;
        }
        found.add(word());
      }
    }

    private byte[] word() throws ProtocolException {
      var word = new ByteArrayOutputStream();
      while (!isWordEnd()) {
        int b = line[at++];
        if (b == '"' || b == '\'') {
          readQuoted(b, word);
          return word.toByteArray();
        }
        word.write(b);
      }
      return word.toByteArray();
    }

    /** Reads up to the closing quote, which must end the word. */
    private void readQuoted(int quote, ByteArrayOutputStream word) throws ProtocolException {
      while (peek() != 0) {
        int b = line[at++];
        if (b == quote) {
          if (isWordEnd()) {
            return;
          }
          break;
        }
        if (b != '\\' || peek() == 0) {
          word.write(b);
        } else if (quote == '\'') {
          word.write(peek() == quote ? line[at++] : b);
        } else if (peek() == 'x' && hex(1) >= 0 && hex(2) >= 0) {
          word.write((hex(1) << 4) | hex(2));
          at += 3;
        } else {
          word.write(unescape(line[at++]));
        }
      }
      throw new ProtocolException("unbalanced quotes in request");
    }

    private boolean isWordEnd() {
      int b = peek();
      return b == 0 || b == ' ' || (b >= '\t' && b <= '\r');
    }

    private int peek() {
      return at < line.length ? line[at] : 0;
    }

    private int hex(int ahead) {
      return at + ahead < line.length ? Character.digit(line[at + ahead], 16) : -1;
    }

    private static int unescape(int b) {
      return switch (b) {
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'b' -> '\b';
        case 'a' -> 7;
        default -> b;
      };
    }
  }
}
