package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;

/** Measures, truncates and wraps text by its width in terminal columns. */
public final class CellWidth {
  private static final String ELLIPSIS = "…";

  /** The first and last code points of blocks with characters of two columns. */
  private static final int[][] WIDE = {
    {0x1100, 0x115f},
    {0x2e80, 0x303e},
    {0x3041, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff},
    {0x20000, 0x3fffd},
  };

  private CellWidth() {}

  /** Returns the width of a printable text in columns. */
  public static int of(String text) {
    return text.codePoints().map(CellWidth::of).sum();
  }

  /** Returns the text, truncated at the end to this many columns. */
  public static String cut(String text, int columns) {
    return of(text) <= columns ? text : head(text, columns);
  }

  /** Returns the text, truncated in the middle to this many columns. */
  public static String shorten(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    if (columns < 3) {
      return head(text, columns);
    }
    String head = head(text, columns / 2);
    return head + ELLIPSIS + tail(text, columns - 1 - of(head));
  }

  /** Returns the text in lines of at most this many columns, broken at spaces if possible. */
  public static List<String> wrap(String text, int columns) {
    var lines = new ArrayList<String>();
    String rest = text;
    while (of(rest) > columns) {
      String line = head(rest, Math.max(2, columns));
      int space = line.lastIndexOf(' ');
      // A space in the first half is an indent or a column separator: no place for a break.
      if (space > line.length() / 2 && rest.charAt(line.length()) != ' ') {
        line = line.substring(0, space);
      }
      lines.add(line);
      rest = rest.substring(line.length()).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  private static String head(String text, int columns) {
    int used = 0;
    int end = 0;
    while (end < text.length()) {
      int next = text.codePointAt(end);
      used += of(next);
      if (used > columns) {
        break;
      }
      end += Character.charCount(next);
    }
    return text.substring(0, end);
  }

  private static String tail(String text, int columns) {
    int used = 0;
    int from = text.length();
    while (from > 0) {
      int next = text.codePointBefore(from);
      used += of(next);
      if (used > columns) {
        break;
      }
      from -= Character.charCount(next);
    }
    return text.substring(from);
  }

  private static int of(int codePoint) {
    if (codePoint < WIDE[0][0]) {
      return isMark(codePoint) ? 0 : 1;
    }
    for (int[] block : WIDE) {
      if (codePoint >= block[0] && codePoint <= block[1]) {
        return 2;
      }
    }
    return isMark(codePoint) ? 0 : 1;
  }

  private static boolean isMark(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
  }
}
