package io.heatshield.replay.trace;

import io.heatshield.replay.trace.LineParser.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the columns of the key and the time in a CSV trace. */
final class CsvLayout {
  private static final char[] SEPARATORS = {',', ';', '\t'};
  private static final int MAX_COLUMNS = 4096;

  private final List<byte[]> sample;
  private final TraceOptions options;
  private final byte separator;
  private final List<String> first;

  private CsvLayout(List<byte[]> sample, TraceOptions options) {
    this.sample = sample;
    this.options = options;
    this.separator = separator(sample);
    this.first = sample.isEmpty() ? List.of() : fields(sample.get(0));
  }

  /** Returns whether the lines look like CSV: with a known header, or with time in column 1. */
  static boolean looksLike(List<byte[]> sample) {
    var layout = new CsvLayout(sample, TraceOptions.defaults());
    int columns = layout.first.size();
    if (columns < 2) {
      return false;
    }
    boolean even = sample.stream().allMatch(line -> layout.fields(line).size() == columns);
    return (even && layout.isTime(0)) || (layout.hasHeader() && layout.find(Layout.KEY_NAMES) >= 0);
  }

  static Layout of(List<byte[]> sample, TraceOptions options, boolean guessed) {
    var layout = new CsvLayout(sample, options);
    boolean header = layout.hasHeader();
    int time = layout.timeColumn(header);
    int key = layout.keyColumn(header, time);
    String fields =
        "key in column " + (key + 1) + (time < 0 ? "" : ", time in column " + (time + 1));
    var parser = new CsvLineParser(layout.separator, key, time, options.unit());
    return new Layout(TraceFormat.CSV, guessed, parser, header, fields);
  }

  private boolean hasHeader() {
    return isName(options.key())
        || isName(options.time())
        || find(Layout.KEY_NAMES) >= 0
        || find(Layout.TIME_NAMES) >= 0;
  }

  private int keyColumn(boolean header, int time) {
    if (options.key() != null) {
      return column("--key", options.key());
    }
    int known = header ? find(Layout.KEY_NAMES) : CsvLineParser.NONE;
    return known >= 0 ? known : time == 0 ? 1 : 0;
  }

  private int timeColumn(boolean header) {
    if (options.time() != null) {
      return column("--time", options.time());
    }
    if (header) {
      return find(Layout.TIME_NAMES);
    }
    return first.size() > 1 && isTime(0) && !"1".equals(options.key()) ? 0 : CsvLineParser.NONE;
  }

  private int column(String option, String name) {
    int column = isName(name) ? find(List.of(name)) : Integer.parseInt(name) - 1;
    if (column < 0 || column >= MAX_COLUMNS) {
      throw new IllegalArgumentException(
          option + " must name a column of the first line or be its number from 1: " + name);
    }
    return column;
  }

  /** Returns the first column with one of these names, or {@link CsvLineParser#NONE}. */
  private int find(List<String> names) {
    for (String name : names) {
      for (int i = 0; i < first.size(); i++) {
        if (first.get(i).strip().equalsIgnoreCase(name)) {
          return i;
        }
      }
    }
    return CsvLineParser.NONE;
  }

  private boolean isTime(int column) {
    return Layout.hasTime(sample, new CsvLineParser(separator, column, column, options.unit()));
  }

  private static boolean isName(@Nullable String option) {
    return option != null && !option.matches("\\d{1,6}");
  }

  private static byte separator(List<byte[]> sample) {
    String first = sample.isEmpty() ? "" : new String(sample.get(0), StandardCharsets.ISO_8859_1);
    char best = ',';
    long most = 0;
    for (char separator : SEPARATORS) {
      long count = first.chars().filter(c -> c == separator).count();
      if (count > most) {
        best = separator;
        most = count;
      }
    }
    return (byte) best;
  }

  private List<String> fields(byte[] line) {
    var fields = new ArrayList<String>();
    var touch = new Touch();
    for (int column = 0; column < 64; column++) {
      var parser = new CsvLineParser(separator, column, CsvLineParser.NONE, NumberUnit.AUTO);
      if (parser.parse(line, 0, line.length, touch) != Outcome.TOUCH) {
        break;
      }
      fields.add(
          new String(touch.bytes, touch.from, touch.to - touch.from, StandardCharsets.UTF_8));
    }
    return fields;
  }
}
