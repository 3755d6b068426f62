package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A reply, independent of the protocol version that it is sent in.
 *
 * <p>Types that RESP2 does not have are sent as Redis sends them: a map as a flat array, a set and
 * a push as an array, a double and a verbatim string as a bulk string, a boolean as 1 or 0, null as
 * a bulk string or an array of length -1.
 *
 * <p>Immutable and thread-safe, provided that the bytes it was created from are not changed. Two
 * replies are equal if they are the same in RESP3.
 */
public abstract sealed class Reply {
  /** {@code +OK}. */
  public static final Reply OK = status("OK");

  /** {@code +QUEUED}, the reply to a command inside a transaction. */
  public static final Reply QUEUED = status("QUEUED");

  /** {@code :0}. */
  public static final Reply ZERO = new Int(0);

  /** {@code :1}. */
  public static final Reply ONE = new Int(1);

  /** Null: a bulk string of length -1 in RESP2. */
  public static final Reply NULL = either(new Line('$', "-1"), new Line('_', ""));

  /** Null in place of an array: an array of length -1 in RESP2. */
  public static final Reply NULL_ARRAY = either(new Line('*', "-1"), new Line('_', ""));

  /** An array without elements. */
  public static final Reply EMPTY = array(List.of());

  /** A reply without bytes, for commands whose replies were sent in another way. */
  public static final Reply NOTHING = sequence(List.of());

  private static final Reply TRUE = either(ONE, new Line('#', "t"));
  private static final Reply FALSE = either(ZERO, new Line('#', "f"));

  private Reply() {}

  /** Returns a simple string; line breaks in it are replaced by spaces. */
  public static Reply status(String text) {
    return new Line('+', text);
  }

  /** Returns an error with its code, as in {@code ERR syntax error}. */
  public static Reply error(String text) {
    return new Line('-', text);
  }

  /** Returns an integer. */
  public static Reply of(long value) {
    return value == 0 ? ZERO : value == 1 ? ONE : new Int(value);
  }

  /** Returns a bulk string of bytes, which are not copied. */
  public static Reply bulk(byte[] bytes) {
    return new Bulk('$', bytes);
  }

  /** Returns a bulk string of text, in UTF-8. */
  public static Reply bulk(String text) {
    return bulk(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns text for people: a verbatim string in RESP3. */
  public static Reply text(String text) {
    return either(bulk(text), new Bulk('=', ("txt:" + text).getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns a double. */
  public static Reply of(double value) {
    String text = Digits.text(value);
    return either(bulk(text), new Line(',', text));
  }

  /** Returns a boolean. */
  public static Reply of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** Returns an array. */
  public static Reply array(List<Reply> elements) {
    return new Aggregate('*', elements);
  }

  /** Returns a map of alternating names and values. */
  public static Reply map(List<Reply> pairs) {
    if (pairs.size() % 2 != 0) {
      throw new IllegalArgumentException("pairs must be even in number: " + pairs.size());
    }
    return new Aggregate('%', pairs);
  }

  /** Returns a set. */
  public static Reply set(List<Reply> elements) {
    return new Aggregate('~', elements);
  }

  /** Returns a push message, which is not the reply to a command. */
  public static Reply push(List<Reply> elements) {
    return new Aggregate('>', elements);
  }

  /** Returns a reply that has another content in each protocol version. */
  public static Reply either(Reply resp2, Reply resp3) {
    return new Either(resp2, resp3);
  }

  /** Returns several replies, which are sent one after the other. */
  public static Reply sequence(List<Reply> replies) {
    return new Sequence(replies);
  }

  /** Writes this reply in RESP3, or else in RESP2. */
  public abstract void write(ByteBuf out, boolean resp3);

  /** Returns whether this is an error. */
  public boolean isError() {
    return isError("");
  }

  /** Returns whether this is an error that begins with a text. */
  public boolean isError(String start) {
    return this instanceof Line line && line.startsWith('-', start);
  }

  /** Returns the reply as it is sent in RESP3, one character per byte. */
  @Override
  public String toString() {
    ByteBuf out = Unpooled.buffer();
    write(out, true);
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Reply that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** A type mark and text, in one line. */
  private static final class Line extends Reply {
    private final byte[] bytes;

    Line(char mark, String text) {
      byte[] head = (mark + text).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < head.length; i++) {
        if (head[i] == '\r' || head[i] == '\n') {
          head[i] = ' ';
        }
      }
      bytes = Arrays.copyOf(head, head.length + 2);
      bytes[head.length] = '\r';
      bytes[head.length + 1] = '\n';
    }

    boolean startsWith(char mark, String start) {
      if (bytes[0] != mark) {
        return false;
      }
      for (int i = 0; i < start.length(); i++) {
        if (i + 1 >= bytes.length || bytes[i + 1] != start.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      out.writeBytes(bytes);
    }
  }

  private static final class Int extends Reply {
    private final long value;

    Int(long value) {
      this.value = value;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      Digits.writeLine(out, ':', value);
    }
  }

  /** A type mark, a length, and bytes. */
  private static final class Bulk extends Reply {
    private final char mark;
    private final byte[] bytes;

    Bulk(char mark, byte[] bytes) {
      this.mark = mark;
      this.bytes = bytes;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      Digits.writeLine(out, mark, bytes.length);
      out.writeBytes(bytes).writeShort(Digits.CRLF);
    }
  }

  private static final class Aggregate extends Reply {
    private final char mark;
    private final List<Reply> elements;

    Aggregate(char mark, List<Reply> elements) {
      this.mark = mark;
      this.elements = List.copyOf(elements);
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      int count = mark == '%' && resp3 ? elements.size() / 2 : elements.size();
      Digits.writeLine(out, resp3 ? mark : '*', count);
      for (Reply element : elements) {
        element.write(out, resp3);
      }
    }
  }

  private static final class Either extends Reply {
    private final Reply inResp2;
    private final Reply inResp3;

    Either(Reply inResp2, Reply inResp3) {
      this.inResp2 = inResp2;
      this.inResp3 = inResp3;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      (resp3 ? inResp3 : inResp2).write(out, resp3);
    }
  }

  private static final class Sequence extends Reply {
    private final List<Reply> replies;

    Sequence(List<Reply> replies) {
      this.replies = List.copyOf(replies);
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      for (Reply reply : replies) {
        reply.write(out, resp3);
      }
    }
  }
}
