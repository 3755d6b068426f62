package io.heatshield.replay.trace;

/**
 * Parses lines of a common or combined access log: client, two names, {@code [time]}, {@code
 * "request"}. The rest of a line is ignored.
 */
final class AccessLogParser implements LineParser {
  private final AccessKey part;

  AccessLogParser(AccessKey part) {
    this.part = part;
  }

  @Override
  public Outcome parse(byte[] line, int from, int to, Touch touch) {
    int client = find(line, from, to, ' ');
    int open = client < 0 ? -1 : find(line, client, to, '[');
    int close = open < 0 ? -1 : find(line, open, to, ']');
    if (client <= from || close < 0 || close + 2 >= to || line[close + 2] != '"') {
      return Outcome.BAD;
    }
    touch.nanos = TimeText.accessLog(line, open + 1, close);
    if (touch.nanos == Touch.NO_TIME) {
      return Outcome.BAD;
    }
    if (part == AccessKey.CLIENT) {
      touch.key(line, from, client);
      return Outcome.TOUCH;
    }
    int begin = close + 3;
    int end = JsonString.end(line, begin, to);
    if (end < 0) {
      return Outcome.BAD;
    }
    int method = find(line, begin, end, ' ');
    if (method <= begin || method + 1 >= end) {
      return Outcome.NO_KEY;
    }
    int target = method + 1;
    int stop = find(line, target, end, ' ');
    int targetEnd = stop < 0 ? end : stop;
    int query = part == AccessKey.PATH ? find(line, target, targetEnd, '?') : -1;
    touch.key(line, target, query < 0 ? targetEnd : query);
    return Outcome.TOUCH;
  }

  @Override
  public boolean hasTime() {
    return true;
  }

  private static int find(byte[] line, int from, int to, char wanted) {
    for (int i = from; i < to; i++) {
      if (line[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
