package io.heatshield.cli.view;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The printable form of a key, turned back into the key. */
public final class ShownKey {
  private static final Pattern CUT =
      Pattern.compile("\\\\\\.\\.\\.\\(\\d+ bytes(, [0-9a-f]+)?\\)$");
  private static final Pattern BYTE = Pattern.compile("\\\\x[0-9a-f]{2}.*", Pattern.DOTALL);

  private ShownKey() {}

  /** Returns the key as a part of a path, or nothing if its form was cut. */
  public static Optional<String> path(String shown) {
    if (CUT.matcher(shown).find()) {
      return Optional.empty();
    }
    var path = new StringBuilder();
    for (byte one : bytes(shown)) {
      path.append(String.format(Locale.ROOT, "%%%02x", one & 0xff));
    }
    return Optional.of(path.toString());
  }

  private static byte[] bytes(String shown) {
    var bytes = new ByteArrayOutputStream();
    int i = 0;
    while (i < shown.length()) {
      if (BYTE.matcher(shown).region(i, shown.length()).matches()) {
        bytes.write(HexFormat.fromHexDigits(shown, i + 2, i + 4));
        i += 4;
      } else if (shown.startsWith("\\\\", i)) {
        bytes.write('\\');
        i += 2;
      } else {
        int width = Character.charCount(shown.codePointAt(i));
        bytes.writeBytes(shown.substring(i, i + width).getBytes(StandardCharsets.UTF_8));
        i += width;
      }
    }
    return bytes.toByteArray();
  }
}
