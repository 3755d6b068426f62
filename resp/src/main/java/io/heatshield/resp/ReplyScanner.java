package io.heatshield.resp;

import io.netty.buffer.ByteBuf;

/**
 * Finds where the replies of a server end, in RESP2 or RESP3, for one who hands the bytes on.
 *
 * <p>It keeps nothing of what it sees but where it is, whatever the length or the nesting. For one
 * thread. After a fault the connection is of no more use.
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

  /** Returns whether a part of a reply has been seen and the rest is missing. */
  public boolean isWithin() {
    return remaining > 0;
  }

  /** Returns the first byte of the reply that was begun last. */
  public char mark() {
    return mark;
  }

  /** Returns whether that reply is an error. */
  public boolean isError() {
    return mark == '-' || mark == '!';
  }

  /** Returns whether that reply is a message that answers no command. */
  public boolean isPush() {
    return mark == '>';
  }

  /** Returns whether that reply says that there is no value. */
  public boolean isNull() {
    return nothing;
  }

  /**
   * Looks at bytes from an index on.
   *
   * @return the index after the reply that ends among them, or -1 if all of them belong to it and
   *     more is to come
   * @throws ProtocolException if the bytes are no reply
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
      head();
    } else if (b != '\r') {
      throw new ProtocolException("invalid length of a reply");
    }
  }

  /** Takes the length of what follows. */
  private void head() {
    boolean text = kind == '$' || kind == '=' || kind == '!';
    if (negative) {
      nothing |= outermost;
      finish();
    } else if (text) {
      body = number + 2;
      place = Place.BODY;
    } else {
      // An attribute stands before the reply that it belongs to.
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
