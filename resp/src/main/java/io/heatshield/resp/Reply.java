package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A reply, independent of the protocol that it is sent in.
 *
 * <p>What RESP2 has no word for is sent in the words that Redis takes for it: a map as a flat
 * array, a set and a push as an array, a double and a verbatim text as a bulk string, a boolean as
 * 1 or 0, null as a bulk string or an array of length -1. Immutable, as long as nobody changes the
 * bytes that it was made from; any thread may use it.
 */
public abstract sealed class Reply {
  /** {@code +OK}. */
  public static final Reply OK = new Status("OK");

  /** {@code +QUEUED}, the answer to a command inside a transaction. */
  public static final Reply QUEUED = new Status("QUEUED");

  /** {@code :0}. */
  public static final Reply ZERO = new Int(0);

  /** {@code :1}. */
  public static final Reply ONE = new Int(1);

  /** No value: a bulk string of length -1 in RESP2. */
  public static final Reply NULL = new Null("$-1\r\n");

  /** No list: an array of length -1 in RESP2. */
  public static final Reply NULL_ARRAY = new Null("*-1\r\n");

  /** An array without an element. */
  public static final Reply EMPTY = array(List.of());

  /** A reply with no bytes at all, for commands whose answers were sent otherwise. */
  public static final Reply NOTHING = sequence(List.of());

  private Reply() {}

  /** Returns a simple string; what would break its line stands in it as spaces. */
  public static Reply status(String text) {
    return new Status(text);
  }

  /** Returns an error with its code, as in {@code ERR syntax error}. */
  public static Reply error(String text) {
    return new Failure(text);
  }

  /** Returns an integer. */
  public static Reply of(long value) {
    return value == 0 ? ZERO : value == 1 ? ONE : new Int(value);
  }

  /** Returns a bulk string of bytes, which are not copied. */
  public static Reply bulk(byte[] bytes) {
    return new Bulk(bytes);
  }

  /** Returns a bulk string of text, in UTF-8. */
  public static Reply bulk(String text) {
    return new Bulk(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns text for people, marked as such in RESP3. */
  public static Reply text(String text) {
    return new Verbatim(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a double. */
  public static Reply of(double value) {
    return new Real(value);
  }

  /** Returns a boolean. */
  public static Reply of(boolean value) {
    return new Bool(value);
  }

  /** Returns an array. */
  public static Reply array(List<Reply> elements) {
    return new Aggregate('*', elements);
  }

  /** Returns a map of names and values that take turns. */
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

  /** Returns a message that answers no command. */
  public static Reply push(List<Reply> elements) {
    return new Aggregate('>', elements);
  }

  /** Returns a reply that differs between the protocols more than its types do. */
  public static Reply either(Reply resp2, Reply resp3) {
    return new Either(resp2, resp3);
  }

  /** Returns several replies, sent one after the other. */
  public static Reply sequence(List<Reply> replies) {
    return new Sequence(replies);
  }

  /** Writes this reply in RESP3, or else in RESP2. */
  public abstract void write(ByteBuf out, boolean resp3);

  /** Returns whether this is an error. */
  public boolean isError() {
    return this instanceof Failure;
  }

  /** Returns whether this is an error that begins with a text. */
  public boolean isError(String start) {
    return this instanceof Failure failure && failure.startsWith(start);
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

  private static byte[] line(char mark, String text) {
    byte[] bytes = (mark + text).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\r' || bytes[i] == '\n') {
        bytes[i] = ' ';
      }
    }
    byte[] line = Arrays.copyOf(bytes, bytes.length + 2);
    line[bytes.length] = '\r';
    line[bytes.length + 1] = '\n';
    return line;
  }

  private static final class Status extends Reply {
    private final byte[] line;

    Status(String text) {
      line = line('+', text);
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      out.writeBytes(line);
    }
  }

  private static final class Failure extends Reply {
    private final byte[] line;

    Failure(String text) {
      line = line('-', text);
    }

    boolean startsWith(String start) {
      for (int i = 0; i < start.length(); i++) {
        if (i + 1 >= line.length || line[i + 1] != start.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      out.writeBytes(line);
    }
  }

  private static final class Int extends Reply {
    private final long value;

    Int(long value) {
      this.value = value;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      Digits.line(out, ':', value);
    }
  }

  private static final class Bulk extends Reply {
    private final byte[] bytes;

    Bulk(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      Digits.line(out, '$', bytes.length);
      out.writeBytes(bytes);
      Digits.end(out);
    }
  }

  private static final class Verbatim extends Reply {
    private static final byte[] FORMAT = {'t', 'x', 't', ':'};
    private final byte[] bytes;

    Verbatim(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      if (resp3) {
        Digits.line(out, '=', bytes.length + FORMAT.length);
        out.writeBytes(FORMAT);
      } else {
        Digits.line(out, '$', bytes.length);
      }
      out.writeBytes(bytes);
      Digits.end(out);
    }
  }

  private static final class Real extends Reply {
    private final double value;

    Real(double value) {
      this.value = value;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      byte[] text = Digits.text(value).getBytes(StandardCharsets.US_ASCII);
      if (resp3) {
        out.writeByte(',');
      } else {
        Digits.line(out, '$', text.length);
      }
      out.writeBytes(text);
      Digits.end(out);
    }
  }

  private static final class Bool extends Reply {
    private final boolean value;

    Bool(boolean value) {
      this.value = value;
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      if (resp3) {
        out.writeByte('#').writeByte(value ? 't' : 'f');
        Digits.end(out);
      } else {
        Digits.line(out, ':', value ? 1 : 0);
      }
    }
  }

  private static final class Null extends Reply {
    private static final byte[] RESP3 = {'_', '\r', '\n'};
    private final byte[] resp2;

    Null(String resp2) {
      this.resp2 = resp2.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void write(ByteBuf out, boolean resp3) {
      out.writeBytes(resp3 ? RESP3 : resp2);
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
      int pairs = mark == '%' && resp3 ? elements.size() / 2 : elements.size();
      Digits.line(out, resp3 ? mark : '*', pairs);
      for (Reply element : elements) {
        element.write(out, resp3);
      }
    }
  }

  private static final class Either extends Reply {
    private final Reply resp2;
    private final Reply resp3;

    Either(Reply resp2, Reply resp3) {
      this.resp2 = resp2;
      this.resp3 = resp3;
    }

    @Override
    public void write(ByteBuf out, boolean wants3) {
      (wants3 ? resp3 : resp2).write(out, wants3);
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
