package io.heatshield.replay;

import io.heatshield.key.KeyText;
import java.util.Locale;

/** Formats keys and numbers for reports; the results are safe to print on a terminal. */
final class ReportFormat {
  private ReportFormat() {}

  /** Returns the printable text of a key, or a placeholder if its text was not kept. */
  static String key(KeyTable keys, int number) {
    byte[] text = keys.text(number);
    if (text == null) {
      return "\\(text not kept, key " + (number + 1) + ")";
    }
    String shown = KeyText.of(text);
    return text.length == KeyTable.MAX_TEXT ? shown + "\\..." : shown;
  }

  /** Returns the text, truncated to the width of a table column. */
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
