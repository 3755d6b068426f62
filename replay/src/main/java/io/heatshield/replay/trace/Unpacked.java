package io.heatshield.replay.trace;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked bytes of a trace; whatever is wrong with the packed ones is the end of the stream
 * and a sentence that says so, never an exception.
 *
 * <p>One thread reads; any may ask how much was read and what was wrong.
 */
final class Unpacked extends InputStream {
  /*
   * packedBytes   written by the reading thread, read by whoever shows progress: volatile, one writer
   * fault         written by the reading thread before it returns the end: volatile
   */
  private final InputStream packed;
  private final InputStream in;
  private final Packing packing;
  private volatile long packedBytes;
  private volatile @Nullable String fault;

  Unpacked(InputStream raw) throws IOException {
    byte[] head = raw.readNBytes(Packing.MAGIC_BYTES);
    packing = Packing.of(head);
    packed = new Counted(new SequenceInputStream(new ByteArrayInputStream(head), raw));
    InputStream unpacked = InputStream.nullInputStream();
    try {
      unpacked = packing.unpack(packed);
    } catch (IOException | RuntimeException e) {
      fault = sentence(e);
    }
    in = unpacked;
  }

  Packing packing() {
    return packing;
  }

  long packedBytes() {
    return packedBytes;
  }

  /** Returns why the stream ended before its time, or null if it did not. */
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
      // A decompressor that meets hostile bytes may also throw what its authors did not foresee.
      fault = sentence(e);
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    packed.close();
  }

  private String sentence(Exception e) {
    String name = packing.name().toLowerCase(java.util.Locale.ROOT);
    if (e instanceof java.io.EOFException) {
      return "the " + name + " data is cut off";
    }
    return packing == Packing.PLAIN
        ? "cannot be read on: " + e.getMessage()
        : "the " + name + " data is damaged or not supported: " + e.getMessage();
  }

  private final class Counted extends FilterInputStream {
    Counted(InputStream in) {
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

    /**
     * Says that there may be more, or gzip would take a pause of a pipe for the last member's end.
     */
    @Override
    public int available() {
      return 1;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void count(int bytes) {
      packedBytes += bytes;
    }
  }
}
