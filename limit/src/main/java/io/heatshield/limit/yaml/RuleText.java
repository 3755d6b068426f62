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
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads the text of a rule file, which may be anything. */
final class RuleText {
  static final int MAX_BYTES = 1 << 20;
  private static final String TOO_LARGE =
      "is larger than 1 MiB, the most that a rule file may take";

  private RuleText() {}

  /**
   * Returns the bytes of a file, or null with a fault added. Opens only regular files: opening a
   * pipe or a device may block or have an effect.
   */
  static byte @Nullable [] read(Path file, RuleFaults faults) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        faults.add(0, "is not a regular file");
      } else if (attributes.size() > MAX_BYTES) {
        faults.add(0, TOO_LARGE);
      } else {
        try (InputStream in = Files.newInputStream(file)) {
          return in.readNBytes(MAX_BYTES + 1);
        }
      }
    } catch (NoSuchFileException e) {
      faults.add(0, "there is no such file");
    } catch (AccessDeniedException e) {
      faults.add(0, "cannot be read by this user");
    } catch (IOException e) {
      faults.add(0, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
    return null;
  }

  /** Returns the text of bytes without its byte order mark, or null with a fault added. */
  static @Nullable String decode(byte[] bytes, RuleFaults faults) {
    String head = HexFormat.of().formatHex(bytes, 0, Math.min(4, bytes.length));
    if (bytes.length > MAX_BYTES) {
      faults.add(0, TOO_LARGE);
      return null;
    }
    // UTF-16 and UTF-32 begin with a byte order mark, or with one NUL byte in the first two.
    if (head.matches("feff.*|fffe.*|0000feff|00(?!00)..*|(?!00)..00.*")) {
      faults.add(0, "is UTF-16 or UTF-32; save it as UTF-8");
      return null;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        faults.add(line(bytes, i), "holds a NUL byte; is this a text file?");
        return null;
      }
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (head.startsWith("efbbbf")) {
      in.position(3);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
    } catch (CharacterCodingException e) {
      faults.add(line(bytes, in.position()), "is not UTF-8; save it as UTF-8");
      return null;
    }
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
