package io.heatshield.replay.trace;

/**
 * Parses the output of Redis MONITOR, such as {@code 1339518083.107412 [0 127.0.0.1:60866] "get"
 * "user:1"}.
 *
 * <p>The key is the first key of the command, with escapes decoded.
 */
final class MonitorLineParser implements LineParser {
  private final byte[] scratch = new byte[LineReader.MAX_LINE];
  private int length;

  @Override
  public Outcome parse(byte[] line, int from, int to, Touch touch) {
    int i = from;
    while (i < to && line[i] != ' ') {
      i++;
    }
    touch.nanos = TimeText.number(line, from, i, NumberUnit.S);
    if (touch.nanos == Touch.NO_TIME) {
      return to - from == 2 && line[from] == 'O' ? Outcome.NO_KEY : Outcome.BAD;
    }
    int command = commandStart(line, i, to);
    int next = command < 0 ? -1 : argument(line, command, to);
    if (next < 0) {
      return Outcome.BAD;
    }
    RedisKeys.Position position = RedisKeys.of(scratch, length);
    if (position.isNone()) {
      return Outcome.NO_KEY;
    }
    int skip = position.argument();
    for (int n = 1; next < to; n++) {
      if (line[next] != ' ') {
        return Outcome.BAD;
      }
      next = argument(line, next + 1, to);
      if (next < 0) {
        return Outcome.BAD;
      }
      if (n == position.keyCount() && isZero()) {
        return Outcome.NO_KEY;
      }
      if (position.afterStreams() && isStreams()) {
        skip = n + 1;
      } else if (n == skip) {
        touch.key(scratch, 0, length);
        return Outcome.TOUCH;
      }
    }
    return Outcome.NO_KEY;
  }

  @Override
  public boolean hasTime() {
    return true;
  }

  /** Returns the start of the quoted command after {@code [db client]}, or -1. */
  private static int commandStart(byte[] line, int from, int to) {
    if (from + 1 >= to || line[from + 1] != '[') {
      return -1;
    }
    for (int i = from + 2; i + 2 < to; i++) {
      if (line[i] == ']' && line[i + 1] == ' ' && line[i + 2] == '"') {
        return i + 2;
      }
    }
    return -1;
  }

  /** Decodes the quoted argument at {@code from}; returns the index after it, or -1. */
  private int argument(byte[] line, int from, int to) {
    length = 0;
    if (from >= to || line[from] != '"') {
      return -1;
    }
    int i = from + 1;
    while (i < to) {
      byte b = line[i];
      if (b == '"') {
        return i + 1;
      }
      if (b == '\\') {
        i = escape(line, i + 1, to);
        if (i < 0) {
          return -1;
        }
      } else {
        scratch[length++] = b;
        i++;
      }
    }
    return -1;
  }

  private int escape(byte[] line, int at, int to) {
    if (at >= to) {
      return -1;
    }
    if (line[at] == 'x') {
      int value = at + 3 > to ? -1 : Hex.number(line, at + 1, 2);
      scratch[length++] = (byte) value;
      return value < 0 ? -1 : at + 3;
    }
    scratch[length++] =
        switch (line[at]) {
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'a' -> 7;
          case 'b' -> '\b';
          default -> line[at];
        };
    return at + 1;
  }

  private boolean isZero() {
    return length == 1 && scratch[0] == '0';
  }

  private boolean isStreams() {
    return RedisKeys.code(scratch, length) == RedisKeys.STREAMS;
  }
}
