package io.heatshield.resp;

import io.netty.buffer.ByteBuf;

/**
 * Finds where the replies of a server end, in RESP2 or RESP3, for a proxy that forwards the bytes.
 *
 * <p>It keeps only its position, whatever the length or nesting of a reply. Not thread-safe. After
 * an error the connection must be closed.
 */
public final class ReplyScanner {
  private static final int MAX_DIGITS = 18;

  private enum Place {
    MARK,
    NUMBER,
    LINE,
    BODY
  }

  private Place place = Place.MARK;
  private long remaining;
  private char mark;
  private char kind;
  private long number;
  private int digits;
  private boolean negative;
  private boolean nothing;
  private boolean outermost;
  private long body;

  /** Creates a scanner at the start of a reply. */
  public ReplyScanner() {}

  /** Returns whether a reply has been scanned in part. */
  public boolean isWithin() {
    return remaining > 0;
  }

  /** Returns the first byte of the current reply: the one that was begun last. */
  public char mark() {
    return mark;
  }

  /** Returns whether the current reply is an error. */
  public boolean isError() {
    return mark == '-' || mark == '!';
  }

  /** Returns whether the current reply is a push message. */
  public boolean isPush() {
    return mark == '>';
  }

  /** Returns whether the current reply is null. */
  public boolean isNull() {
    return nothing;
  }

  /**
   * Scans bytes from an index on.
   *
   * @return the index after the end of the reply, or -1 if it ends after these bytes
   * @throws ProtocolException if the bytes are not a reply
   */
  public int end(ByteBuf in, int from) throws ProtocolException {
    int stop = in.writerIndex();
    int i = from;
    while (i < stop) {
      switch (place) {
        case MARK -> begin((char) in.getByte(i++));
        case NUMBER -> digit(in.getByte(i++));
        case LINE -> {
          int end = in.indexOf(i, stop, (byte) '\n');
          i = end < 0 ? stop : end + 1;
          if (end >= 0) {
            finish();
          }
        }
        case BODY -> {
          int step = (int) Math.min(body, stop - i);
          body -= step;
          i += step;
          if (body == 0) {
            finish();
          }
        }
      }
      if (remaining == 0) {
        return i;
      }
    }
    return -1;
  }

  private void begin(char next) throws ProtocolException {
    outermost = remaining == 0;
    if (outermost) {
      remaining = 1;
      mark = next;
      nothing = next == '_';
    }
    kind = next;
    number = 0;
    digits = 0;
    negative = false;
    place =
        switch (next) {
          case '+', '-', ':', ',', '#', '_', '(' -> Place.LINE;
          case '$', '=', '!', '*', '~', '>', '%', '|' -> Place.NUMBER;
          default -> throw new ProtocolException("unknown type of reply");
        };
  }

  private void digit(byte b) throws ProtocolException {
    if (b >= '0' && b <= '9' && digits++ < MAX_DIGITS) {
      number = number * 10 + (b - '0');
    } else if (b == '-' && digits == 0) {
      negative = true;
    } else if (b == '\n') {
      onLength();
    } else if (b != '\r') {
      throw new ProtocolException("invalid length of a reply");
    }
  }

  /** Handles the length of a string or an aggregate. */
  private void onLength() {
    boolean text = kind == '$' || kind == '=' || kind == '!';
    if (negative) {
      nothing |= outermost;
      finish();
    } else if (text) {
      body = number + 2;
      place = Place.BODY;
    } else {
      // An attribute precedes the reply that it belongs to.
      boolean pairs = kind == '%' || kind == '|';
      remaining += (pairs ? 2 * number : number) + (kind == '|' ? 1 : 0);
      finish();
    }
  }

  private void finish() {
    remaining--;
    place = Place.MARK;
  }
}
