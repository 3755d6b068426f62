package io.heatshield.testkit.keys;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Assertions that text which displays a key to people is safe.
 *
 * <p>They check the output of a sink and do not use the project's escaping, so a bug in one does
 * not hide a bug in the other. A failure names the code point and its index, never the text.
 */
public final class DisplayAssertions {
  private static final Pattern ENTITY =
      Pattern.compile("&(#\\d{1,7}|#x[0-9a-fA-F]{1,6}|\\w{2,8});");

  private DisplayAssertions() {}

  /**
   * Asserts that one line of a log, terminal or reply, without its line end, contains only visible
   * characters and plain spaces. It rejects control characters (also line ends and tabs),
   * bidirectional and other format characters, other separators, combining marks, fillers, lone
   * surrogates, private and unassigned code points.
   */
  public static void assertSafeToDisplay(String shown) {
    for (int i = 0; i < shown.length(); i += Character.charCount(shown.codePointAt(i))) {
      int codePoint = shown.codePointAt(i);
      if (isHidden(codePoint)) {
        throw fault(codePoint, i, "is not escaped");
      }
    }
  }

  /**
   * Asserts that the part of a page that displays a key, between tags or inside a quoted attribute,
   * passes {@link #assertSafeToDisplay} and contains no markup: no angle bracket, no quote, no
   * backquote, and no ampersand except that of an entity.
   */
  public static void assertSafeInHtml(String fragment) {
    assertSafeToDisplay(fragment);
    var entity = ENTITY.matcher(fragment);
    for (int i = 0; i < fragment.length(); i++) {
      char c = fragment.charAt(i);
      boolean raw = "<>\"'`".indexOf(c) >= 0;
      if (raw || (c == '&' && !entity.region(i, fragment.length()).lookingAt())) {
        throw fault(c, i, "is markup");
      }
    }
  }

  private static boolean isHidden(int codePoint) {
    if (codePoint == ' ') {
      return false;
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR,
          Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> isFiller(codePoint);
    };
  }

  /** Returns whether the code point is a letter by category but has no glyph. */
  private static boolean isFiller(int codePoint) {
    return codePoint == 0x115f || codePoint == 0x1160 || codePoint == 0x3164 || codePoint == 0xffa0;
  }

  private static AssertionError fault(int codePoint, int index, String what) {
    return new AssertionError(
        String.format(Locale.ROOT, "U+%04X %s at index %d", codePoint, what, index));
  }
}
