package io.heatshield.config.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a file held when it was read, or why it could not be.
 *
 * <p>Anything but a regular file, or a link to one, is refused without being opened: opening a FIFO
 * or a device may block or have an effect.
 */
public final class Source {
  static final int MAX_BYTES = 1 << 20;

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
        return new Source(name, new byte[0], problem);
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        return bytes.length > MAX_BYTES
            ? new Source(name, new byte[0], tooLarge())
            : new Source(name, bytes, null);
      }
    } catch (NoSuchFileException e) {
      return new Source(name, new byte[0], "there is no such file");
    } catch (AccessDeniedException e) {
      return new Source(name, new byte[0], "cannot be read by this user");
    } catch (IOException e) {
      return new Source(name, new byte[0], "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  public static Source of(String name, byte[] bytes) {
    return new Source(name, bytes.clone(), bytes.length > MAX_BYTES ? tooLarge() : null);
  }

  public String name() {
    return name;
  }

  /** Returns whether two reads found the same. */
  public boolean sameAs(Source other) {
    return Arrays.equals(bytes, other.bytes)
        && (problem == null ? other.problem == null : problem.equals(other.problem));
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
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length >= 3 && startsWith(0xef, 0xbb, 0xbf)) {
      in.position(3);
    }
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        faults.add(Origin.file(name, line(i), 0), "", "holds a NUL byte", "is this a text file?");
        return null;
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
    } catch (CharacterCodingException e) {
      faults.add(
          Origin.file(name, line(firstMalformed()), 0), "", "is not UTF-8", "save it as UTF-8");
      return null;
    }
  }

  private static @Nullable String refusal(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      return "is a folder, not a file";
    }
    if (!attributes.isRegularFile()) {
      return "is a pipe or a device, not a regular file";
    }
    return attributes.size() > MAX_BYTES ? tooLarge() : null;
  }

  private static String tooLarge() {
    return "is larger than 1 MiB, the most that a configuration may take";
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

  private int firstMalformed() {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    decoder.decode(in, CharBuffer.allocate(bytes.length), true);
    return in.position();
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
