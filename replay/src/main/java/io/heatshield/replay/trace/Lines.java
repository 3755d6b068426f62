package io.heatshield.replay.trace;

import java.io.IOException;
import java.io.InputStream;

/**
 * The lines of a stream, each a stretch of one buffer that holds until the next is asked for.
 *
 * <p>A line ends at LF, with or without a CR before it; the last may lack both. A line longer than
 * {@value #MAX_LINE} bytes is passed over and counted; after {@value #GIVE_UP} bytes without an end
 * the stream is given up, so that a bomb of one endless line costs seconds. Memory is the buffer,
 * whatever comes.
 *
 * <p>Not for use by several threads.
 */
final class Lines {
  /** The longest line that is read. */
  static final int MAX_LINE = 1 << 16;

  /** The bytes without an end of line after which nothing more is read. */
  static final long GIVE_UP = 1L << 30;

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
  private long passing;
  private long tooLong;
  private long lines;
  private boolean givenUp;

  Lines(InputStream in) {
    this(in, BLOCK, MAX_LINE);
  }

  /** Creates the lines of a stream in a buffer that must be longer than the longest line. */
  Lines(InputStream in, int block, int maxLine) {
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
        if (start == end && passing == 0) {
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

  /** Returns where the line begins in the buffer. */
  int from() {
    return from;
  }

  /** Returns where the line ends in the buffer, without its end of line. */
  int to() {
    return to;
  }

  /** Returns how many lines were passed, with those that are too long. */
  long count() {
    return lines;
  }

  long tooLong() {
    return tooLong;
  }

  /** Returns whether the stream was given up at a line without an end. */
  boolean givenUp() {
    return givenUp;
  }

  private boolean take(int start, int lineEnd) {
    int last = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    boolean whole = passing == 0 && last - start <= maxLine;
    passing = 0;
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

  /** Reads more behind what is left of a line, or behind nothing if that is already too long. */
  private void fill() throws IOException {
    int left = end - next;
    if (passing > 0 || left > maxLine + 1) {
      passing += left;
      left = 0;
      if (passing > GIVE_UP) {
        givenUp = true;
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
