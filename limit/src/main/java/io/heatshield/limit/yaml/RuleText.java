package io.heatshield.limit.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Reads the text of rule files, of which everything may be wrong. */
final class RuleText {
  static final int MAX_BYTES = 1 << 20;

  private RuleText() {}

  /**
   * Returns the bytes of a file, or null with a fault added. Anything but a regular file is refused
   * without being opened: opening a pipe or a device may block or have an effect.
   */
  static byte @Nullable [] read(Path file, String name, RuleFaults faults) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        faults.add(name, 0, "is not a regular file");
        return null;
      }
      if (attributes.size() > MAX_BYTES) {
        faults.add(name, 0, tooLarge());
        return null;
      }
      try (InputStream in = Files.newInputStream(file)) {
        return in.readNBytes(MAX_BYTES + 1);
      }
    } catch (NoSuchFileException e) {
      faults.add(name, 0, "there is no such file");
    } catch (AccessDeniedException e) {
      faults.add(name, 0, "cannot be read by this user");
    } catch (IOException e) {
      faults.add(name, 0, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
    return null;
  }

  /** Returns the text of bytes without its byte order mark, or null with a fault added. */
  static @Nullable String decode(byte[] bytes, String name, RuleFaults faults) {
    if (bytes.length > MAX_BYTES) {
      faults.add(name, 0, tooLarge());
      return null;
    }
    if (looksLikeUtf16(bytes)) {
      faults.add(name, 0, "is UTF-16 or UTF-32; save it as UTF-8");
      return null;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        faults.add(name, line(bytes, i), "holds a NUL byte; is this a text file?");
        return null;
      }
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (startsWith(bytes, 0xef, 0xbb, 0xbf)) {
      in.position(3);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
    } catch (CharacterCodingException e) {
      faults.add(name, line(bytes, in.position()), "is not UTF-8; save it as UTF-8");
      return null;
    }
  }

  private static String tooLarge() {
    return "is larger than 1 MiB, the most that a rule file may take";
  }

  private static boolean looksLikeUtf16(byte[] bytes) {
    return bytes.length >= 2
        && (startsWith(bytes, 0xfe, 0xff)
            || startsWith(bytes, 0xff, 0xfe)
            || startsWith(bytes, 0, 0, 0xfe, 0xff)
            || (bytes[0] == 0) != (bytes[1] == 0));
  }

  private static boolean startsWith(byte[] bytes, int... head) {
    if (bytes.length < head.length) {
      return false;
    }
    for (int i = 0; i < head.length; i++) {
      if ((bytes[i] & 0xff) != head[i]) {
        return false;
      }
    }
    return true;
  }

  private static int line(byte[] bytes, int position) {
    int line = 1;
    for (int i = 0; i < position; i++) {
      if (bytes[i] == '\n') {
        line++;
      }
    }
    return line;
  }
}
