package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@code top} and its key bindings: shows the table of keys or the explanation of one
 * key, from a scroll position on.
 *
 * <p>Not thread-safe.
 */
public final class TopView {
  private static final int MAX_KEYS = 100;
  private static final int MAX_EXPLAINED = 9;
  private static final int NUMBERS = 3;
  private static final String KEYS = "q quits, s sorts, / filters, 1-9 explain, arrows scroll";

  private HotTable.Sort sort;
  private String filter;
  private boolean typing;
  private HotTable.@Nullable Row explained;
  private List<HotTable.Row> visible = List.of();
  private int first;
  private int page = 1;

  /** Creates a view of the keys with a prefix, in a sort order. */
  public TopView(HotTable.Sort sort, String filter) {
    this.sort = sort;
    this.filter = filter;
  }

  /** Returns the row whose explanation is shown, or null if the table is shown. */
  public HotTable.@Nullable Row explained() {
    return explained;
  }

  /** Returns whether a key ends the program. */
  public boolean isQuit(int key) {
    return key == 'q' && !typing;
  }

  /** Returns the complete table, for output without scrolling. */
  public List<String> plain(JsonObject answer) {
    var lines = new ArrayList<String>(List.of(summary(answer)));
    lines.addAll(FleetLines.of(answer));
    lines.addAll(HotTable.lines(rows(answer), TextTable.UNLIMITED));
    return lines;
  }

  /** Returns the part of the table that fits a screen. */
  public List<String> table(JsonObject answer, Terminal.Size size) {
    List<HotTable.Row> rows = rows(answer);
    List<String> table = HotTable.lines(rows, Math.max(1, size.columns() - NUMBERS));
    List<String> fleet = FleetLines.of(answer);
    // Half of the screen is reserved for keys.
    fleet = fleet.subList(0, Math.min(fleet.size(), Math.max(0, size.lines() / 2 - 3)));
    int end = clampScroll(rows.size(), size.lines() - 3 - fleet.size());
    visible = rows.subList(first, end);
    String place = rows.isEmpty() ? "" : "  " + (first + 1) + "-" + end + " of " + rows.size();
    var lines = new ArrayList<String>();
    lines.add(summary(answer) + place);
    lines.add(typing ? "Type a prefix. Enter keeps it, Esc clears it." : KEYS);
    lines.addAll(fleet);
    lines.add(" ".repeat(NUMBERS) + table.get(0));
    for (int i = first; i < end; i++) {
      int number = i - first + 1;
      lines.add((number <= MAX_EXPLAINED ? number + "  " : "   ") + table.get(i + 1));
    }
    return lines;
  }

  /** Returns the part of an explanation that fits a screen. */
  public List<String> explanation(List<String> explanation, Terminal.Size size) {
    List<String> pieces =
        explanation.stream()
            .flatMap(line -> CellWidth.wrap(line, Math.max(2, size.columns())).stream())
            .toList();
    int end = clampScroll(pieces.size(), size.lines() - 2);
    var lines = new ArrayList<String>();
    boolean whole = first == 0 && end == pieces.size();
    lines.add("Esc goes back" + (whole ? "." : ", arrows scroll."));
    lines.add("");
    lines.addAll(pieces.subList(first, end));
    return lines;
  }

  /** Handles a key. */
  public void press(int key) {
    if (key == TerminalKey.ESCAPE && explained != null) {
      explained = null;
      first = 0;
    } else if (key == TerminalKey.ESCAPE) {
      typing = false;
      filter = "";
    } else if (typing) {
      type(key);
    } else if (key == '/' && explained == null) {
      typing = true;
      filter = "";
    } else if (key == 's' && explained == null) {
      sort = sort.next();
    } else if (key >= '1' && key <= '9' && explained == null) {
      explain(key - '1');
    } else {
      scroll(key);
    }
  }

  private void explain(int row) {
    if (row < visible.size()) {
      explained = visible.get(row);
      first = 0;
    }
  }

  private void type(int key) {
    if (key == '\n' || key == '\r') {
      typing = false;
    } else if (key == TerminalKey.BACKSPACE && !filter.isEmpty()) {
      filter = filter.substring(0, filter.length() - 1);
    } else if (key >= ' ' && key < TerminalKey.BACKSPACE) {
      filter += (char) key;
    }
    first = 0;
  }

  private void scroll(int key) {
    switch (key) {
      case TerminalKey.UP, 'k' -> first--;
      case TerminalKey.DOWN, 'j' -> first++;
      case TerminalKey.PAGE_UP, 'b' -> first -= page;
      case TerminalKey.PAGE_DOWN, ' ' -> first += page;
      case TerminalKey.HOME, 'g' -> first = 0;
      case TerminalKey.END, 'G' -> first = Integer.MAX_VALUE - page;
      default -> {}
    }
    first = Math.max(0, first);
  }

  /** Limits the scroll position to the content; returns the end of the visible part. */
  private int clampScroll(int count, int room) {
    page = Math.max(1, room);
    first = Math.max(0, Math.min(first, count - page));
    return Math.min(count, first + page);
  }

  private List<HotTable.Row> rows(JsonObject answer) {
    return HotTable.rows(answer, sort, filter, MAX_KEYS);
  }

  private String summary(JsonObject answer) {
    String by = "by " + sort.name().toLowerCase(Locale.ROOT);
    return HotTable.summary(answer)
        + "  "
        + by
        + (filter.isEmpty() && !typing ? "" : ", /" + TextTable.printable(filter));
  }
}
