package io.heatshield.replay.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A stream that reads a few blocks ahead in a background thread, so that decompression and counting
 * run on two cores.
 *
 * <p>For one reading thread. An exception of the source is thrown to that thread after all bytes
 * that precede it.
 */
final class ReadAhead extends InputStream {
  private static final int BLOCK = 1 << 17;
  private static final int BLOCKS = 4;
  private static final byte[] END = {};

  private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(BLOCKS);
  private final InputStream source;
  private final Thread reader;
  private byte[] block = END;
  private int next;
  private boolean ended;
  private volatile @Nullable Throwable failure;

  ReadAhead(InputStream source) {
    this.source = source;
    this.reader = new Thread(this::readAll, "trace-reader");
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (next == block.length && !advance()) {
      return -1;
    }
    int count = Math.min(length, block.length - next);
    System.arraycopy(block, next, to, offset, count);
    next += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    reader.interrupt();
    source.close();
  }

  private boolean advance() throws IOException {
    if (ended) {
      return false;
    }
    try {
      block = blocks.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("reading was interrupted");
    }
    next = 0;
    ended = block.length == 0;
    Throwable reason = failure;
    if (ended && reason != null) {
      throw new IOException("the trace cannot be read: " + reason, reason);
    }
    return !ended;
  }

  private void readAll() {
    try {
      byte[] buffer = new byte[BLOCK];
      int count = source.readNBytes(buffer, 0, BLOCK);
      while (count > 0) {
        blocks.put(Arrays.copyOf(buffer, count));
        count = source.readNBytes(buffer, 0, BLOCK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      end();
    }
  }

  /** Marks the end of the stream; without it the consumer would block forever. */
  private void end() {
    try {
      blocks.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
