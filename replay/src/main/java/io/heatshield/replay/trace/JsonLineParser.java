package io.heatshield.replay.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses lines that are JSON objects with a field for the key and a field for the time.
 *
 * <p>If a field occurs twice, the first one counts. Parsing stops when both fields are found; the
 * rest of the line is ignored. Nested values of any depth are skipped by counting brackets.
 */
final class JsonLineParser implements LineParser {
  private final byte[] keyField;
  private final byte[] timeField;
  private final NumberUnit unit;
  private final JsonString strings = new JsonString();
  private int valueFrom;
  private int valueTo;
  private boolean string;

  /** Creates a parser; an empty {@code timeField} means that lines have no time. */
  JsonLineParser(String keyField, String timeField, NumberUnit unit) {
    this.keyField = keyField.getBytes(StandardCharsets.UTF_8);
    this.timeField = timeField.getBytes(StandardCharsets.UTF_8);
    this.unit = unit;
  }

  @Override
  public Outcome parse(byte[] line, int from, int to, Touch touch) {
    touch.nanos = Touch.NO_TIME;
    boolean keyFound = false;
    boolean timeFound = timeField.length == 0;
    boolean withoutKey = false;
    int i = blank(line, from, to);
    if (i >= to || line[i] != '{') {
      return Outcome.BAD;
    }
    i = blank(line, i + 1, to);
    if (i < to && line[i] == '}') {
      return Outcome.NO_KEY;
    }
    while (i < to && line[i] == '"') {
      int nameEnd = JsonString.end(line, i + 1, to);
      int colon = nameEnd < 0 ? to : blank(line, nameEnd + 1, to);
      if (colon >= to || line[colon] != ':') {
        return Outcome.BAD;
      }
      int next = value(line, blank(line, colon + 1, to), to);
      if (next < 0) {
        return Outcome.BAD;
      }
      if (!keyFound && !withoutKey && is(keyField, line, i + 1, nameEnd)) {
        keyFound = key(line, touch);
        withoutKey = !keyFound;
      } else if (!timeFound && is(timeField, line, i + 1, nameEnd)) {
        touch.nanos = TimeText.parse(line, valueFrom, valueTo, unit);
        timeFound = true;
      }
      if (keyFound && timeFound) {
        return Outcome.TOUCH;
      }
      i = blank(line, next, to);
      if (i < to && line[i] == '}') {
        return keyFound ? Outcome.TOUCH : Outcome.NO_KEY;
      }
      if (i >= to || line[i] != ',') {
        return Outcome.BAD;
      }
      i = blank(line, i + 1, to);
    }
    return Outcome.BAD;
  }

  @Override
  public boolean hasTime() {
    return timeField.length > 0;
  }

  private boolean key(byte[] line, Touch touch) {
    if (string) {
      return strings.decode(line, valueFrom, valueTo, touch);
    }
    byte first = line[valueFrom];
    if (first == '{' || first == '[' || first == 'n') {
      return false;
    }
    touch.key(line, valueFrom, valueTo);
    return true;
  }

  /** Sets the bounds of the value at {@code from}; returns the index after it, or -1. */
  private int value(byte[] line, int from, int to) {
    if (from >= to) {
      return -1;
    }
    byte first = line[from];
    string = first == '"';
    if (string) {
      int end = JsonString.end(line, from + 1, to);
      valueFrom = from + 1;
      valueTo = end;
      return end < 0 ? -1 : end + 1;
    }
    int end = first == '{' || first == '[' ? nested(line, from, to) : scalar(line, from, to);
    valueFrom = from;
    valueTo = end;
    return end <= from ? -1 : end;
  }

  private static int nested(byte[] line, int from, int to) {
    int depth = 0;
    for (int i = from; i < to; i++) {
      switch (line[i]) {
        case '{', '[' -> depth++;
        case '}', ']' -> {
          if (--depth == 0) {
            return i + 1;
          }
        }
        case '"' -> {
          i = JsonString.end(line, i + 1, to);
          if (i < 0) {
            return -1;
          }
        }
        default -> {
          // Other bytes of a nested value are skipped.
        }
      }
    }
    return -1;
  }

  private static int scalar(byte[] line, int from, int to) {
    int i = from;
    while (i < to && isScalar(line[i])) {
      i++;
    }
    return i;
  }

  private static boolean isScalar(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || b == '-'
        || b == '+'
        || b == '.'
        || b == 'E';
  }

  private static int blank(byte[] line, int from, int to) {
    int i = from;
    while (i < to && (line[i] == ' ' || line[i] == '\t')) {
      i++;
    }
    return i;
  }

  private static boolean is(byte[] name, byte[] line, int from, int to) {
    return Arrays.equals(name, 0, name.length, line, from, to);
  }
}
