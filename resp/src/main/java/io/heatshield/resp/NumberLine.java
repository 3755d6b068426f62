package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import java.util.HexFormat;

/**
 * Reads decimal numbers that end with CR LF, in the only form that Redis accepts: no plus sign, no
 * leading zero, no space, at most 18 digits.
 *
 * <p>An incomplete line is read again from its start, which is cheap because the line is short.
 */
final class NumberLine {
  private static final int MAX_DIGITS = 18;

  private long value;
  private int end;

  /** Returns the number that was read last. */
  long value() {
    return value;
  }

  /** Returns the index after the line that was read last. */
  int end() {
    return end;
  }

  /**
   * Reads the line that begins at an index.
   *
   * @return false if the line is incomplete
   * @throws ProtocolException with the given message, if this is not such a line
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

  /**
   * Reads the header of a bulk string, {@code $<length>}, that begins at an index.
   *
   * @return false if the header is incomplete
   */
  boolean readBulkLength(ByteBuf in, int from) throws ProtocolException {
    if (from >= in.writerIndex()) {
      return false;
    }
    byte mark = in.getByte(from);
    if (mark != '$') {
      boolean printable = mark >= 0x20 && mark < 0x7f;
      String shown =
          printable ? String.valueOf((char) mark) : "\\x" + HexFormat.of().toHexDigits(mark);
      throw new ProtocolException("expected '$', got '" + shown + "'");
    }
    if (!read(in, from + 1, "invalid bulk length")) {
      return false;
    }
    if (value < 0 || value > RespLimits.PROTOCOL_BYTES) {
      throw new ProtocolException("invalid bulk length");
    }
    return true;
  }
}
