package io.heatshield.replay;

import io.heatshield.key.KeyText;
import java.util.Locale;

/** Keys and numbers as people read them; nothing here needs escaping in a terminal. */
final class Shown {
  private Shown() {}

  /** Returns the printable text of a key, or a name in place of a text that was not kept. */
  static String key(KeyCensus census, int number) {
    byte[] text = census.text(number);
    if (text == null) {
      return "\\(text not kept, key " + (number + 1) + ")";
    }
    String shown = KeyText.of(text);
    return text.length == KeyCensus.MAX_TEXT ? shown + "\\..." : shown;
  }

  /** Returns a text cut to a width, for a column of a table. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 3) + "...";
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String percent(double part) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * part);
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%,.3f s", seconds);
  }

  static String bytes(long bytes) {
    if (bytes < 10_240) {
      return bytes + " B";
    }
    return bytes < 10_485_760
        ? (bytes + 512) / 1024 + " KiB"
        : String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
  }
}
