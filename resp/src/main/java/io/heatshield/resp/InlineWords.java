package io.heatshield.resp;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a line of text into words as Redis does: by white space, with {@code "..."} in which
 * escapes count and {@code '...'} in which only {@code \'} does. A zero byte ends the line.
 */
final class InlineWords {
  private final byte[] line;
  private int at;

  private InlineWords(byte[] line) {
    this.line = line;
  }

  /** Returns the words, or null if a quotation does not end or is not followed by a space. */
  static @Nullable List<byte[]> split(byte[] line) {
    var words = new InlineWords(line);
    var found = new ArrayList<byte[]>();
    while (true) {
      while (words.peek() != 0 && isSpace(words.peek())) {
        words.at++;
      }
      if (words.peek() == 0) {
        return found;
      }
      var word = new ByteArrayOutputStream();
      if (!words.read(word)) {
        return null;
      }
      found.add(word.toByteArray());
    }
  }

  private boolean read(ByteArrayOutputStream word) {
    while (true) {
      int b = peek();
      if (b == 0 || isSpace(b)) {
        return true;
      }
      at++;
      if (b == '"') {
        return readDouble(word);
      }
      if (b == '\'') {
        return readSingle(word);
      }
      word.write(b);
    }
  }

  private boolean readDouble(ByteArrayOutputStream word) {
    while (true) {
      int b = peek();
      if (b == 0) {
        return false;
      }
      at++;
      if (b == '"') {
        return endsHere();
      }
      if (b == '\\' && peek() == 'x' && hex(1) >= 0 && hex(2) >= 0) {
        word.write((hex(1) << 4) | hex(2));
        at += 3;
      } else if (b == '\\' && peek() != 0) {
        word.write(unescaped(peek()));
        at++;
      } else {
        word.write(b);
      }
    }
  }

  private boolean readSingle(ByteArrayOutputStream word) {
    while (true) {
      int b = peek();
      if (b == 0) {
        return false;
      }
      at++;
      if (b == '\'') {
        return endsHere();
      }
      if (b == '\\' && peek() == '\'') {
        word.write('\'');
        at++;
      } else {
        word.write(b);
      }
    }
  }

  private boolean endsHere() {
    return peek() == 0 || isSpace(peek());
  }

  private int peek() {
    return at < line.length ? line[at] & 0xff : 0;
  }

  private int hex(int ahead) {
    return at + ahead < line.length ? Character.digit(line[at + ahead], 16) : -1;
  }

  private static int unescaped(int b) {
    return switch (b) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'a' -> 7;
      default -> b;
    };
  }

  private static boolean isSpace(int b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }
}
