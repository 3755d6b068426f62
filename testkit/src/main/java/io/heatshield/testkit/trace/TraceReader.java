package io.heatshield.testkit.trace;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * A reader of trace files with one key per line, plain or compressed with gzip or xz.
 *
 * <p>A line ends at LF, and its bytes are the key; an empty line is the empty key. The last line
 * may end without LF. Memory is bounded: a line longer than {@value #MAX_KEY_BYTES} bytes is an
 * error. So is a compressed file that ends early. Errors name the file and the last good line.
 *
 * <p>Not for use by several threads.
 */
public final class TraceReader implements Closeable {
  /** The maximum length of a key. */
  public static final int MAX_KEY_BYTES = 1 << 16;

  private static final int XZ_MEMORY_KIB = 128 * 1024;

  private final String name;
  private final InputStream in;
  private final byte[] buffer = new byte[2 * MAX_KEY_BYTES];
  private int from;
  private int to;
  private boolean ended;
  private long lines;

  private TraceReader(String name, InputStream in) {
    this.name = name;
    this.in = in;
  }

  /** Opens a file; it is decompressed if its name ends in {@code .gz} or {@code .xz}. */
  public static TraceReader open(Path file) throws IOException {
    return open(file.toString(), Files.newInputStream(file));
  }

  /** Opens a stream, decompressed by its name; the stream is closed with the reader. */
  static TraceReader open(String name, InputStream raw) throws IOException {
    try {
      return new TraceReader(name, decompressed(name, raw));
    } catch (EOFException e) {
      raw.close();
      throw new IOException(name + " is cut off before its first line", e);
    } catch (IOException e) {
      raw.close();
      throw new IOException(name + " cannot be decompressed: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the next key, or null at the end.
   *
   * @throws IOException if the file is cut off or damaged, or holds a line that is too long
   */
  public byte @Nullable [] next() throws IOException {
    int end = endOfLine();
    if (end < 0) {
      return null;
    }
    if (end - from > MAX_KEY_BYTES) {
      throw tooLong();
    }
    byte[] key = Arrays.copyOfRange(buffer, from, end);
    from = Math.min(end + 1, to);
    lines++;
    return key;
  }

  /** Returns the number of keys read so far. */
  public long lines() {
    return lines;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Returns the index after the next line's last byte, or -1 if there is no further line. */
  private int endOfLine() throws IOException {
    int i = from;
    while (true) {
      for (; i < to; i++) {
        if (buffer[i] == '\n') {
          return i;
        }
      }
      if (to - from > MAX_KEY_BYTES) {
        throw tooLong();
      }
      if (ended) {
        return from == to ? -1 : to;
      }
      i -= from;
      fill();
    }
  }

  /**
   * Moves the unread bytes to the front and appends more; there is always room for a whole line.
   */
  private void fill() throws IOException {
    System.arraycopy(buffer, from, buffer, 0, to - from);
    to -= from;
    from = 0;
    int count;
    try {
      count = in.read(buffer, to, buffer.length - to);
    } catch (EOFException e) {
      throw new IOException(name + " is cut off after line " + lines, e);
    } catch (IOException e) {
      throw new IOException(name + " is damaged after line " + lines + ": " + e.getMessage(), e);
    }
    if (count < 0) {
      ended = true;
    } else {
      to += count;
    }
  }

  private IOException tooLong() {
    return new IOException(
        name + " line " + (lines + 1) + " is longer than " + MAX_KEY_BYTES + " bytes");
  }

  private static InputStream decompressed(String name, InputStream raw) throws IOException {
    if (name.endsWith(".gz")) {
      return new GZIPInputStream(raw, 1 << 16);
    }
    return name.endsWith(".xz") ? new XZInputStream(raw, XZ_MEMORY_KIB) : raw;
  }
}
