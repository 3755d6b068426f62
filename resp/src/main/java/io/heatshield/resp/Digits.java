package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;

/** Formats numbers for the protocol. */
final class Digits {
  static final short CRLF = ('\r' << 8) | '\n';
  private static final int SMALL = 1000;
  private static final double EXACT = 1e17;

  private Digits() {}

  /** Writes a type mark, a number and CR LF; without an allocation if the number is small. */
  static void writeLine(ByteBuf out, char mark, long value) {
    out.writeByte(mark);
    if (value >= 0 && value < SMALL) {
      int small = (int) value;
      if (small >= 100) {
        out.writeByte('0' + small / 100);
      }
      if (small >= 10) {
        out.writeByte('0' + small / 10 % 10);
      }
      out.writeByte('0' + small % 10);
    } else {
      String text = Long.toString(value);
      for (int i = 0; i < text.length(); i++) {
        out.writeByte(text.charAt(i));
      }
    }
    out.writeShort(CRLF);
  }

  /** Returns the shortest text that parses to the value; whole numbers have no decimal point. */
  static String text(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      return Long.toString((long) value);
    }
    return new BigDecimal(Double.toString(value)).toString().replace("E", "e");
  }
}
