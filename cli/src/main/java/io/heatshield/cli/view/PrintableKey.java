package io.heatshield.cli.view;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Converts the printable form of a key back to the key. */
public final class PrintableKey {
  private static final Pattern TRUNCATED =
      Pattern.compile("\\\\\\.\\.\\.\\(\\d+ bytes(, [0-9a-f]+)?\\)$");
  private static final Pattern BYTE = Pattern.compile("\\\\x[0-9a-f]{2}.*", Pattern.DOTALL);

  private PrintableKey() {}

  /** Returns the percent-encoded key, or empty if the printable form was truncated. */
  public static Optional<String> path(String text) {
    if (TRUNCATED.matcher(text).find()) {
      return Optional.empty();
    }
    var path = new StringBuilder();
    for (byte one : bytes(text)) {
      path.append(String.format(Locale.ROOT, "%%%02x", one & 0xff));
    }
    return Optional.of(path.toString());
  }

  private static byte[] bytes(String text) {
    var bytes = new ByteArrayOutputStream();
    int i = 0;
    while (i < text.length()) {
      if (BYTE.matcher(text).region(i, text.length()).matches()) {
        bytes.write(HexFormat.fromHexDigits(text, i + 2, i + 4));
        i += 4;
      } else if (text.startsWith("\\\\", i)) {
        bytes.write('\\');
        i += 2;
      } else {
        int width = Character.charCount(text.codePointAt(i));
        bytes.writeBytes(text.substring(i, i + width).getBytes(StandardCharsets.UTF_8));
        i += width;
      }
    }
    return bytes.toByteArray();
  }
}
