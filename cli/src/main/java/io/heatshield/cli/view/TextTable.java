package io.heatshield.cli.view;

import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table for a terminal: columns as wide as what is in them, numbers to the right.
 *
 * <p>Where it must fit a width, columns are left out in a given order, and the first column is
 * shortened in its middle. Nothing that moves a cursor or changes a colour gets through, whatever a
 * server sent.
 */
public final class TextTable {
  /** A width that every table fits. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final int MOST_CHARS = 60;
  private static final int LEAST_FIRST = 20;
  private static final String GAP = "  ";

  private final List<String> head;
  private final boolean[] numbers;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table; a title that begins with {@code >} makes a column of numbers. */
  public TextTable(String... titles) {
    head = Arrays.stream(titles).map(title -> title.replaceFirst("^>", "")).toList();
    numbers = new boolean[titles.length];
    for (int i = 0; i < titles.length; i++) {
      numbers[i] = titles[i].startsWith(">");
    }
  }

  /** Adds a row with a text for each column. */
  public void row(String... cells) {
    if (cells.length != head.size()) {
      throw new IllegalArgumentException("cells must number " + head.size() + ": " + cells.length);
    }
    rows.add(Arrays.stream(cells).map(TextTable::shown).toList());
  }

  /** Returns the lines, the titles first. */
  public List<String> lines() {
    return lines(UNLIMITED);
  }

  /**
   * Returns the lines, the titles first, none wider than this many columns.
   *
   * @param leftOut the titles of columns that are left out where there is no room, first to last
   */
  public List<String> lines(int width, String... leftOut) {
    int[] widths = IntStream.range(0, head.size()).map(this::width).toArray();
    for (String title : leftOut) {
      if (total(widths, Math.min(widths[0], LEAST_FIRST)) <= width) {
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

  /** Returns the width of a line whose first column has this width; columns of 0 are left out. */
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

  /** Returns a text that came from outside as it may be shown. */
  public static String visible(String text) {
    return text.codePoints().allMatch(KeyText::isVisible) ? text : KeyText.of(text);
  }

  /** Returns a text that came from outside as it may be shown, shortened if it is long. */
  public static String shown(String text) {
    return CellWidth.shorten(visible(text), MOST_CHARS);
  }
}
