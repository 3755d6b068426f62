package io.heatshield.testkit.keys;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Checks of text that shows a key to people.
 *
 * <p>They judge what a sink wrote and know nothing of how the project escapes, so that each can
 * show the other wrong. A failure names the code point and where it stands, never the text.
 */
public final class ShownText {
  private static final Pattern ENTITY =
      Pattern.compile("&(#\\d{1,7}|#x[0-9a-fA-F]{1,6}|\\w{2,8});");

  private ShownText() {}

  /**
   * Asserts that one line of a log, terminal or reply, without its line end, holds nothing that
   * acts instead of being seen: control characters (line ends and tabs too), bidirectional and
   * other format characters, separators other than the plain space, combining marks, fillers, lone
   * surrogates, private and unassigned code points.
   */
  public static void assertShownSafely(String shown) {
    for (int i = 0; i < shown.length(); i += Character.charCount(shown.codePointAt(i))) {
      int codePoint = shown.codePointAt(i);
      if (isHidden(codePoint)) {
        throw fault(codePoint, i, "is shown raw");
      }
    }
  }

  /**
   * Asserts that the part of a page that shows a key, between its tags or inside the quotes of an
   * attribute, is safe as {@link #assertShownSafely} says and also holds no markup: no angle
   * bracket, no quote, no backquote, and no ampersand but that of an entity.
   */
  public static void assertShownSafelyInHtml(String fragment) {
    assertShownSafely(fragment);
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

  /** Letters by their category that show nothing. */
  private static boolean isFiller(int codePoint) {
    return codePoint == 0x115f || codePoint == 0x1160 || codePoint == 0x3164 || codePoint == 0xffa0;
  }

  private static AssertionError fault(int codePoint, int index, String what) {
    return new AssertionError(
        String.format(Locale.ROOT, "U+%04X %s at index %d", codePoint, what, index));
  }
}
