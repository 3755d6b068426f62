package io.heatshield.key;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Formats keys for people: in logs, on terminals, on pages and in replies.
 *
 * <p>Letters, digits, punctuation and other visible characters of well-formed UTF-8 are not
 * changed. Every other byte is written {@code \xHH}: control characters, line and paragraph
 * separators, bidirectional and other invisible marks, private and unassigned code points, spaces
 * other than U+0020, malformed UTF-8. A backslash is doubled, so two different keys have different
 * texts. A key longer than {@value #MAX_BYTES} bytes is truncated after a whole character, and its
 * length is appended.
 *
 * <p>The text is safe in a log line and on a terminal. It is not escaped for HTML, JSON or CSV; the
 * writers of these formats must do that.
 */
public final class KeyText {
  /** The number of bytes after which a key is truncated. */
  public static final int MAX_BYTES = 512;

  private static final HexFormat HEX = HexFormat.of();

  private KeyText() {}

  /** Returns the printable form of a key. */
  public static String of(byte[] key) {
    int end = Math.min(key.length, MAX_BYTES);
    var text = new StringBuilder(end + 16);
    int i = 0;
    while (i < end) {
      int length = sequenceLength(key, i);
      if (i + length > MAX_BYTES) {
        break;
      }
      if (length == 0) {
        appendEscaped(text, key, i, 1);
        i++;
        continue;
      }
      int codePoint = new String(key, i, length, StandardCharsets.UTF_8).codePointAt(0);
      if (codePoint == '\\') {
        text.append("\\\\");
      } else if (isVisible(codePoint)) {
        text.appendCodePoint(codePoint);
      } else {
        appendEscaped(text, key, i, length);
      }
      i += length;
    }
    if (i < key.length) {
      text.append("\\...(").append(key.length).append(" bytes)");
    }
    return text.toString();
  }

  /** Returns the printable form of an untrusted text, which is that of its UTF-8 bytes. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns whether a character is visible and does not alter the characters around it. */
  public static boolean isVisible(int codePoint) {
    if (codePoint < 0x80) {
      return codePoint >= 0x20 && codePoint != 0x7f;
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      // A combining mark would change the character before it, which may not belong to the key.
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> false;
      // The four Hangul fillers are letters, but invisible.
      default ->
          codePoint != 0x115f && codePoint != 0x1160 && codePoint != 0x3164 && codePoint != 0xffa0;
    };
  }

  /**
   * Returns the length of the well-formed UTF-8 sequence that begins at {@code i}, or 0 if there is
   * none.
   */
  private static int sequenceLength(byte[] key, int i) {
    int lead = key[i] & 0xff;
    if (lead < 0x80) {
      return 1;
    }
    int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > key.length) {
      return 0;
    }
    int second = key[i + 1] & 0xff;
    int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) {
      return 0;
    }
    for (int k = i + 2; k < i + length; k++) {
      if ((key[k] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static void appendEscaped(StringBuilder text, byte[] key, int from, int length) {
    for (int i = from; i < from + length; i++) {
      text.append("\\x").append(HEX.toHexDigits(key[i]));
    }
  }
}
