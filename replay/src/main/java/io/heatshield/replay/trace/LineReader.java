package io.heatshield.replay.trace;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the lines of a stream. A line is a range of one buffer and is valid until the next call of
 * {@link #next}.
 *
 * <p>A line ends with LF or CRLF; the last line may have neither. A line longer than {@value
 * #MAX_LINE} bytes is skipped and counted. After {@value #ABORT_AFTER} bytes without a line end,
 * reading stops, so that a compressed file with one endless line costs seconds only. Memory is
 * fixed: the buffer.
 *
 * <p>Not thread-safe.
 */
final class LineReader {
  /** The maximum length of a line, in bytes. */
  static final int MAX_LINE = 1 << 16;

  /** The number of bytes without a line end after which reading stops. */
  static final long ABORT_AFTER = 1L << 30;

  private static final int BLOCK = 1 << 18;

  private final InputStream in;
  private final byte[] buffer;
  private final int maxLine;
  private int from;
  private int to;
  private int next;
  private int scanned;
  private int end;
  private boolean ended;
  private long skipped;
  private long tooLong;
  private long lines;
  private boolean aborted;

  LineReader(InputStream in) {
    this(in, BLOCK, MAX_LINE);
  }

  /** Creates a reader with a buffer, which must be longer than the longest line. */
  LineReader(InputStream in, int block, int maxLine) {
    this.in = in;
    this.buffer = new byte[block];
    this.maxLine = maxLine;
  }

  /** Moves to the next line and returns whether there is one. */
  boolean next() throws IOException {
    while (true) {
      int lf = endOfLine();
      if (lf >= 0) {
        int start = next;
        next = lf + 1;
        scanned = next;
        lines++;
        if (take(start, lf)) {
          return true;
        }
      } else if (ended) {
        int start = next;
        next = end;
        if (start == end && skipped == 0) {
          return false;
        }
        lines++;
        if (take(start, end)) {
          return true;
        }
      } else {
        fill();
      }
    }
  }

  byte[] buffer() {
    return buffer;
  }

  /** Returns the start of the line in the buffer. */
  int from() {
    return from;
  }

  /** Returns the end of the line in the buffer, without the line terminator. */
  int to() {
    return to;
  }

  /** Returns the number of lines read, including lines that are too long. */
  long count() {
    return lines;
  }

  long tooLong() {
    return tooLong;
  }

  /** Returns whether reading stopped at a line without an end. */
  boolean aborted() {
    return aborted;
  }

  private boolean take(int start, int lineEnd) {
    int last = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    boolean whole = skipped == 0 && last - start <= maxLine;
    skipped = 0;
    if (whole) {
      from = start;
      to = last;
    } else {
      tooLong++;
    }
    return whole;
  }

  private int endOfLine() {
    byte[] bytes = buffer;
    int stop = end;
    for (int i = scanned; i < stop; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    scanned = stop;
    return -1;
  }

  /** Reads more of the current line, and drops what was read of it if it is already too long. */
  private void fill() throws IOException {
    int left = end - next;
    if (skipped > 0 || left > maxLine + 1) {
      skipped += left;
      left = 0;
      if (skipped > ABORT_AFTER) {
        aborted = true;
        ended = true;
      }
    } else if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, left);
    }
    next = 0;
    end = left;
    scanned = left;
    if (!ended) {
      int count = in.read(buffer, end, buffer.length - end);
      ended = count < 0;
      end += Math.max(0, count);
    }
  }
}
