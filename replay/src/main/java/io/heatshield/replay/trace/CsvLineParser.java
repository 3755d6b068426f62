package io.heatshield.replay.trace;

/**
 * Parses CSV lines. A field that contains the separator is quoted, and a quote inside is doubled.
 *
 * <p>A field cannot span lines: a line with an unclosed quote is bad.
 */
final class CsvLineParser implements LineParser {
  /** The number of a column that does not exist. */
  static final int NONE = -1;

  private final byte separator;
  private final int keyColumn;
  private final int timeColumn;
  private final int lastColumn;
  private final NumberUnit unit;
  private byte[] scratch = {};
  private int fieldFrom;
  private int fieldTo;
  private boolean doubled;

  CsvLineParser(byte separator, int keyColumn, int timeColumn, NumberUnit unit) {
    this.separator = separator;
    this.keyColumn = keyColumn;
    this.timeColumn = timeColumn;
    this.lastColumn = Math.max(keyColumn, timeColumn);
    this.unit = unit;
  }

  @Override
  public Outcome parse(byte[] line, int from, int to, Touch touch) {
    touch.nanos = Touch.NO_TIME;
    int next = from;
    boolean found = false;
    for (int column = 0; column <= lastColumn; column++) {
      if (next > to) {
        return Outcome.BAD;
      }
      next = field(line, next, to);
      if (next < 0) {
        return Outcome.BAD;
      }
      if (column == keyColumn) {
        key(line, touch);
        found = true;
      }
      if (column == timeColumn) {
        touch.nanos = TimeText.parse(line, fieldFrom, fieldTo, unit);
      }
    }
    return found ? Outcome.TOUCH : Outcome.BAD;
  }

  @Override
  public boolean hasTime() {
    return timeColumn != NONE;
  }

  /** Sets the bounds of the field at {@code from}; returns the start of the next field, or -1. */
  private int field(byte[] line, int from, int to) {
    doubled = false;
    if (from < to && line[from] == '"') {
      return quoted(line, from, to);
    }
    int i = from;
    while (i < to && line[i] != separator) {
      i++;
    }
    fieldFrom = from;
    fieldTo = i;
    return i + 1;
  }

  private int quoted(byte[] line, int from, int to) {
    int i = from + 1;
    while (i < to) {
      if (line[i] == '"') {
        if (i + 1 == to || line[i + 1] == separator) {
          fieldFrom = from + 1;
          fieldTo = i;
          return i + 2;
        }
        if (line[i + 1] != '"') {
          return -1;
        }
        doubled = true;
        i++;
      }
      i++;
    }
    return -1;
  }

  private void key(byte[] line, Touch touch) {
    if (!doubled) {
      touch.key(line, fieldFrom, fieldTo);
      return;
    }
    if (scratch.length == 0) {
      scratch = new byte[LineReader.MAX_LINE];
    }
    int length = 0;
    for (int i = fieldFrom; i < fieldTo; i++) {
      scratch[length++] = line[i];
      if (line[i] == '"') {
        i++;
      }
    }
    touch.key(scratch, 0, length);
  }
}
