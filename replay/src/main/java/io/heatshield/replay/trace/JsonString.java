package io.heatshield.replay.trace;

/** The strings of JSON, found and decoded in bytes. */
final class JsonString {
  private final byte[] scratch = new byte[Lines.MAX_LINE];
  private int length;

  /** Returns the index of the quote that ends the string whose text begins here, or -1. */
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

  /** Makes the text of a string the key; returns false if an escape in it is none. */
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

  /** Appends what an escape stands for; returns what follows it, or -1. */
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
    if (codePoint < 0x80) {
      scratch[length++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      scratch[length++] = (byte) (0xc0 | codePoint >> 6);
      scratch[length++] = (byte) (0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      scratch[length++] = (byte) (0xe0 | codePoint >> 12);
      scratch[length++] = (byte) (0x80 | (codePoint >> 6 & 0x3f));
      scratch[length++] = (byte) (0x80 | (codePoint & 0x3f));
    } else {
      scratch[length++] = (byte) (0xf0 | codePoint >> 18);
      scratch[length++] = (byte) (0x80 | (codePoint >> 12 & 0x3f));
      scratch[length++] = (byte) (0x80 | (codePoint >> 6 & 0x3f));
      scratch[length++] = (byte) (0x80 | (codePoint & 0x3f));
    }
  }

  private static int hex(byte[] line, int from, int to) {
    return from + 4 > to ? -1 : Hex.number(line, from, 4);
  }
}
