package io.heatshield.cli.view;

import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A table for a terminal: columns as wide as what is in them, numbers to the right.
 *
 * <p>Nothing that moves a cursor or changes a colour gets through, whatever a server sent.
 */
public final class TextTable {
  private static final int MOST_CHARS = 60;
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
    IntUnaryOperator width =
        column ->
            Math.max(
                head.get(column).length(),
                rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    int[] widths = IntStream.range(0, head.size()).map(width).toArray();
    var lines = new ArrayList<String>();
    lines.add(line(head, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  private String line(List<String> cells, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String pad = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(numbers[i] ? pad + cells.get(i) : cells.get(i) + pad);
    }
    return line.toString().stripTrailing();
  }

  /** Returns a text that came from outside as it may be shown. */
  public static String visible(String text) {
    return text.codePoints().allMatch(KeyText::isVisible) ? text : KeyText.of(text);
  }

  /** Returns a text that came from outside as it may be shown, cut if it is long. */
  public static String shown(String text) {
    String whole = visible(text);
    return whole.length() <= MOST_CHARS ? whole : whole.substring(0, MOST_CHARS - 1) + "…";
  }
}
