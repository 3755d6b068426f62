package io.heatshield.cli.view;

import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Formats a table for a terminal, with numbers aligned to the right.
 *
 * <p>To fit a width, columns are removed in a given order and the first column is truncated in the
 * middle. Control characters from a server are escaped, so they cannot control the terminal.
 */
public final class TextTable {
  /** A width that every table fits. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final int MAX_CHARS = 60;
  private static final int MIN_FIRST = 20;
  private static final String GAP = "  ";

  private final List<String> head;
  private final boolean[] numbers;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table; a title with the prefix {@code >} makes a column of numbers. */
  public TextTable(String... titles) {
    head = Arrays.stream(titles).map(title -> title.replaceFirst("^>", "")).toList();
    numbers = new boolean[titles.length];
    for (int i = 0; i < titles.length; i++) {
      numbers[i] = titles[i].startsWith(">");
    }
  }

  /** Adds a row with one cell for each column. */
  public void row(String... cells) {
    if (cells.length != head.size()) {
      throw new IllegalArgumentException("cells must number " + head.size() + ": " + cells.length);
    }
    rows.add(Arrays.stream(cells).map(TextTable::shorten).toList());
  }

  /** Returns the lines, header first. */
  public List<String> lines() {
    return lines(UNLIMITED);
  }

  /**
   * Returns the lines, header first, in at most this width.
   *
   * @param optional the titles of columns that may be removed, in this order
   */
  public List<String> lines(int width, String... optional) {
    int[] widths = IntStream.range(0, head.size()).map(this::width).toArray();
    for (String title : optional) {
      if (total(widths, Math.min(widths[0], MIN_FIRST)) <= width) {
        break;
      }
      int column = head.indexOf(title);
      if (column > 0) {
        widths[column] = 0;
      }
    }
    widths[0] = Math.min(widths[0], Math.max(1, width - total(widths, 0)));
    var lines = new ArrayList<String>();
    lines.add(CellWidth.cut(line(head, widths), width));
    rows.forEach(row -> lines.add(CellWidth.cut(line(row, widths), width)));
    return lines;
  }

  private int width(int column) {
    return Math.max(
        CellWidth.of(head.get(column)),
        rows.stream().mapToInt(row -> CellWidth.of(row.get(column))).max().orElse(0));
  }

  /** Returns the width of a line with this first column; columns of width 0 are omitted. */
  private static int total(int[] widths, int first) {
    return first + Arrays.stream(widths).skip(1).map(width -> width == 0 ? 0 : width + 2).sum();
  }

  private String line(List<String> cells, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] == 0) {
        continue;
      }
      String cell = CellWidth.shorten(cells.get(i), widths[i]);
      String pad = " ".repeat(widths[i] - CellWidth.of(cell));
      line.append(i == 0 ? "" : GAP);
      line.append(numbers[i] ? pad + cell : cell + pad);
    }
    return line.toString().stripTrailing();
  }

  /** Returns untrusted text with control characters escaped. */
  public static String printable(String text) {
    return text.codePoints().allMatch(KeyText::isVisible) ? text : KeyText.of(text);
  }

  /** Returns untrusted text with control characters escaped, truncated if long. */
  public static String shorten(String text) {
    return CellWidth.shorten(printable(text), MAX_CHARS);
  }
}
