package io.heatshield.config.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file, or the reason why it could not be read.
 *
 * <p>A file that is not regular is refused without opening it, because opening a FIFO or a device
 * may block or have side effects.
 */
public final class Source {
  static final int MAX_BYTES = 1 << 20;
  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final String TOO_LARGE =
      "is larger than 1 MiB, the most that a configuration may take";

  private final String name;
  private final byte[] bytes;
  private final @Nullable String problem;

  private Source(String name, byte[] bytes, @Nullable String problem) {
    this.name = name;
    this.bytes = bytes;
    this.problem = problem;
  }

  public static Source read(Path file) {
    String name = Faults.shownKey(file.toString());
    try {
      String problem = refusal(file);
      if (problem != null) {
        return unreadable(name, problem);
      }
      try (InputStream in = Files.newInputStream(file)) {
        return of(name, in.readNBytes(MAX_BYTES + 1));
      }
    } catch (NoSuchFileException e) {
      return unreadable(name, "there is no such file");
    } catch (AccessDeniedException e) {
      return unreadable(name, "cannot be read by this user");
    } catch (IOException e) {
      return unreadable(name, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  public static Source of(String name, byte[] bytes) {
    return bytes.length > MAX_BYTES
        ? unreadable(name, TOO_LARGE)
        : new Source(name, bytes.clone(), null);
  }

  private static Source unreadable(String name, String problem) {
    return new Source(name, new byte[0], problem);
  }

  public String name() {
    return name;
  }

  /** Returns whether two reads had the same result. */
  public boolean sameAs(Source other) {
    return Arrays.equals(bytes, other.bytes) && Objects.equals(problem, other.problem);
  }

  /** Returns the text without its byte order mark, or null with a fault added. */
  public @Nullable String text(Faults faults) {
    if (problem != null) {
      faults.add(Origin.file(name, 0, 0), "", problem, null);
      return null;
    }
    if (looksLikeUtf16()) {
      faults.add(Origin.file(name, 0, 0), "", "is UTF-16 or UTF-32", "save it as UTF-8");
      return null;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        faults.add(Origin.file(name, line(i), 0), "", "holds a NUL byte", "is this a text file?");
        return null;
      }
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    if (StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isError()) {
      Origin origin = Origin.file(name, line(in.position()), 0);
      faults.add(origin, "", "is not UTF-8", "save it as UTF-8");
      return null;
    }
    String text = out.flip().toString();
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private static @Nullable String refusal(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      return "is a folder, not a file";
    }
    if (!attributes.isRegularFile()) {
      return "is a pipe or a device, not a regular file";
    }
    return attributes.size() > MAX_BYTES ? TOO_LARGE : null;
  }

  private boolean looksLikeUtf16() {
    return bytes.length >= 2
        && (startsWith(0xfe, 0xff)
            || startsWith(0xff, 0xfe)
            || (bytes[0] == 0) != (bytes[1] == 0)
            || (bytes[0] == 0 && bytes.length >= 4 && startsWith(0, 0, 0xfe, 0xff)));
  }

  private boolean startsWith(int... head) {
    for (int i = 0; i < head.length; i++) {
      if ((bytes[i] & 0xff) != head[i]) {
        return false;
      }
    }
    return true;
  }

  private int line(int position) {
    int line = 1;
    for (int i = 0; i < position; i++) {
      if (bytes[i] == '\n') {
        line++;
      }
    }
    return line;
  }
}
