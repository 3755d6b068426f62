package io.heatshield.resp;

import io.netty.buffer.ByteBuf;

/**
 * Reads a decimal number that a CR LF ends, written in the only way that Redis takes: no plus, no
 * leading zero, no space, at most 18 digits.
 *
 * <p>A line that is not whole yet is read again from its start, which costs nothing: it is short.
 */
final class NumberLine {
  private static final int MAX_DIGITS = 18;

  private long value;
  private int end;

  /** The number that was read last. */
  long value() {
    return value;
  }

  /** The index after the line that was read last. */
  int end() {
    return end;
  }

  /**
   * Reads the line that begins at an index.
   *
   * @return whether all of it is there
   * @throws ProtocolException with the fault given, if it is no such line
   */
  boolean read(ByteBuf in, int from, String fault) throws ProtocolException {
    int stop = in.writerIndex();
    int i = from;
    boolean negative = i < stop && in.getByte(i) == '-';
    if (negative) {
      i++;
    }
    int first = i;
    long number = 0;
    while (i < stop) {
      int digit = in.getByte(i) - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      boolean leadingZero = i > first && number == 0;
      if (leadingZero || (negative && digit == 0 && i == first) || i - first == MAX_DIGITS) {
        throw new ProtocolException(fault);
      }
      number = number * 10 + digit;
      i++;
    }
    if (i == stop) {
      return false;
    }
    if (i == first || in.getByte(i) != '\r') {
      throw new ProtocolException(fault);
    }
    if (i + 1 == stop) {
      return false;
    }
    if (in.getByte(i + 1) != '\n') {
      throw new ProtocolException(fault);
    }
    value = negative ? -number : number;
    end = i + 2;
    return true;
  }
}
