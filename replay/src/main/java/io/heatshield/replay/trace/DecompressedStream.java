package io.heatshield.replay.trace;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The decompressed bytes of a trace. An error in the compressed data ends the stream and sets
 * {@link #fault}; it never causes an exception.
 *
 * <p>For one reading thread; any thread may call {@link #compressedBytes} and {@link #fault}.
 */
final class DecompressedStream extends InputStream {
  /*
   * compressedBytes   volatile, one writer: the reading thread; read by the thread that shows
   *                   progress
   * fault             volatile, written by the reading thread before it returns the end
   */
  private final InputStream compressed;
  private final InputStream in;
  private final Compression compression;
  private volatile long compressedBytes;
  private volatile @Nullable String fault;

  DecompressedStream(InputStream raw) throws IOException {
    byte[] head = raw.readNBytes(Compression.MAGIC_BYTES);
    compression = Compression.of(head);
    compressed = new CountingStream(new SequenceInputStream(new ByteArrayInputStream(head), raw));
    InputStream decompressed = InputStream.nullInputStream();
    try {
      decompressed = compression.decompress(compressed);
    } catch (IOException | RuntimeException e) {
      fault = message(e);
    }
    in = decompressed;
  }

  Compression compression() {
    return compression;
  }

  long compressedBytes() {
    return compressedBytes;
  }

  /** Returns why the stream ended prematurely, or null if it did not. */
  @Nullable String fault() {
    return fault;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (fault != null) {
      return -1;
    }
    try {
      return in.read(to, offset, length);
    } catch (IOException | RuntimeException e) {
      // Decompressors may throw any runtime exception on malformed input.
      fault = message(e);
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    compressed.close();
  }

  private String message(Exception e) {
    String name = compression.name().toLowerCase(Locale.ROOT);
    if (e instanceof EOFException) {
      return "the " + name + " data is cut off";
    }
    return compression == Compression.PLAIN
        ? "cannot be read further: " + e.getMessage()
        : "the " + name + " data is damaged or not supported: " + e.getMessage();
  }

  private final class CountingStream extends FilterInputStream {
    CountingStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      count(Math.max(0, count));
      return count;
    }

    /** Returns 1: with 0, gzip would take a pause of a pipe for the end of the last member. */
    @Override
    public int available() {
      return 1;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void count(int bytes) {
      compressedBytes += bytes;
    }
  }
}
