package io.heatshield.replay.trace;

import java.nio.charset.StandardCharsets;

/** Finds and decodes JSON strings in bytes. */
final class JsonString {
  private final byte[] scratch = new byte[LineReader.MAX_LINE];
  private int length;

  /** Returns the index of the closing quote of the string that starts at {@code from}, or -1. */
  static int end(byte[] line, int from, int to) {
    for (int i = from; i < to; i++) {
      if (line[i] == '"') {
        return i;
      }
      if (line[i] == '\\') {
        i++;
      }
    }
    return -1;
  }

  /** Decodes a string into the key; returns false if it contains an invalid escape. */
  boolean decode(byte[] line, int from, int to, Touch touch) {
    int i = from;
    while (i < to && line[i] != '\\') {
      i++;
    }
    if (i == to) {
      touch.key(line, from, to);
      return true;
    }
    length = i - from;
    System.arraycopy(line, from, scratch, 0, length);
    while (i < to) {
      if (line[i] != '\\') {
        scratch[length++] = line[i++];
        continue;
      }
      i = escape(line, i + 1, to);
      if (i < 0) {
        return false;
      }
    }
    touch.key(scratch, 0, length);
    return true;
  }

  /** Appends the character of an escape; returns the index after the escape, or -1. */
  private int escape(byte[] line, int at, int to) {
    if (at >= to) {
      return -1;
    }
    int plain =
        switch (line[at]) {
          case '"', '\\', '/' -> line[at];
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          default -> -1;
        };
    if (plain >= 0) {
      scratch[length++] = (byte) plain;
      return at + 1;
    }
    int high = line[at] == 'u' ? hex(line, at + 1, to) : -1;
    if (high < 0) {
      return -1;
    }
    int next = at + 5;
    if (!Character.isSurrogate((char) high)) {
      append(high);
      return next;
    }
    boolean pair = next + 1 < to && line[next] == '\\' && line[next + 1] == 'u';
    int low = pair ? hex(line, next + 2, to) : -1;
    if (low < 0 || !Character.isSurrogatePair((char) high, (char) low)) {
      scratch[length++] = '?';
      return next;
    }
    append(Character.toCodePoint((char) high, (char) low));
    return next + 6;
  }

  private void append(int codePoint) {
    byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(utf8, 0, scratch, length, utf8.length);
    length += utf8.length;
  }

  private static int hex(byte[] line, int from, int to) {
    return from + 4 > to ? -1 : Hex.number(line, from, 4);
  }
}
