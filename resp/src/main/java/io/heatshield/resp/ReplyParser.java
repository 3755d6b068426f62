package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the replies of one server, in RESP2 or RESP3.
 *
 * <p>The bytes may be cut into reads anywhere. The parser holds what has arrived of one reply: at
 * most {@value #MAX_ELEMENTS} elements, nested at most {@value #MAX_DEPTH} deep. After an error the
 * connection must be closed.
 *
 * <p>Not thread-safe.
 */
public final class ReplyParser {
  /** The maximum number of elements in one reply, nested ones included. */
  public static final int MAX_ELEMENTS = 1 << 20;

  /** The maximum depth of nesting. */
  public static final int MAX_DEPTH = 32;

  private static final int MAX_LINE = 64 << 10;
  private static final int VERBATIM_HEAD = 4;

  private final NumberLine number = new NumberLine();
  private final int maxBulkBytes;
  private final Deque<Frame> open = new ArrayDeque<>();
  private int elements;

  /** Creates a parser that accepts bulk strings up to a length. */
  public ReplyParser(int maxBulkBytes) {
    this.maxBulkBytes = maxBulkBytes;
  }

  /**
   * Reads up to the end of the next reply.
   *
   * @return the reply, or null if bytes are missing
   * @throws ProtocolException if the bytes are not a reply or exceed a limit
   */
  public @Nullable Reply read(ByteBuf in) throws ProtocolException {
    while (in.isReadable()) {
      int before = open.size();
      Reply value = readValue(in);
      if (value != null) {
        Reply complete = close(value);
        if (complete != null) {
          elements = 0;
          return complete;
        }
      } else if (open.size() == before) {
        return null;
      }
    }
    return null;
  }

  /** Adds a value to the innermost open aggregate; returns the outermost reply once complete. */
  private @Nullable Reply close(Reply value) {
    Reply complete = value;
    while (!open.isEmpty()) {
      Frame frame = open.peek();
      frame.elements.add(complete);
      if (frame.elements.size() < frame.wanted) {
        return null;
      }
      open.pop();
      complete = frame.reply();
    }
    return complete;
  }

  /** Reads a value, or opens an aggregate; returns null then, or if bytes are missing. */
  private @Nullable Reply readValue(ByteBuf in) throws ProtocolException {
    char mark = (char) in.getByte(in.readerIndex());
    return switch (mark) {
      case '+', '-', ':', ',', '#', '_', '(' -> readLine(in, mark);
      case '$', '=', '!' -> readBulk(in, mark);
      case '*', '%', '~', '>' -> readHead(in, mark);
      default -> throw new ProtocolException("unknown type of reply");
    };
  }

  private @Nullable Reply readLine(ByteBuf in, char mark) throws ProtocolException {
    int from = in.readerIndex() + 1;
    int end = in.indexOf(from, Math.min(in.writerIndex(), from + MAX_LINE), (byte) '\n');
    if (end < 0) {
      if (in.readableBytes() > MAX_LINE) {
        throw new ProtocolException("too long line");
      }
      return null;
    }
    if (end == from || in.getByte(end - 1) != '\r') {
      throw new ProtocolException("expected CR LF after a line");
    }
    String text = in.toString(from, end - 1 - from, StandardCharsets.UTF_8);
    in.readerIndex(end + 1);
    return switch (mark) {
      case '-' -> Reply.error(text);
      case ':' -> Reply.of(integer(text));
      case ',' -> Reply.of(real(text));
      case '#' -> Reply.of(text.equals("t"));
      case '_' -> Reply.NULL;
      default -> Reply.status(text);
    };
  }

  private static long integer(String text) throws ProtocolException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ProtocolException("invalid integer");
    }
  }

  private static double real(String text) throws ProtocolException {
    try {
      return switch (text) {
        case "inf" -> Double.POSITIVE_INFINITY;
        case "-inf" -> Double.NEGATIVE_INFINITY;
        case "nan" -> Double.NaN;
        default -> Double.parseDouble(text);
      };
    } catch (NumberFormatException e) {
      throw new ProtocolException("invalid double");
    }
  }

  private @Nullable Reply readBulk(ByteBuf in, char mark) throws ProtocolException {
    if (!number.read(in, in.readerIndex() + 1, "invalid bulk length")) {
      return null;
    }
    long length = number.value();
    if (length == -1) {
      in.readerIndex(number.end());
      return Reply.NULL;
    }
    if (length < (mark == '=' ? VERBATIM_HEAD : 0) || length > maxBulkBytes) {
      throw new ProtocolException("invalid bulk length");
    }
    int from = number.end();
    if (in.writerIndex() - from < length + 2) {
      return null;
    }
    byte[] bytes = new byte[(int) length];
    in.readerIndex(from).readBytes(bytes);
    if (in.readByte() != '\r' || in.readByte() != '\n') {
      throw new ProtocolException("expected CR LF after a bulk");
    }
    return switch (mark) {
      case '!' -> Reply.error(new String(bytes, StandardCharsets.UTF_8));
      case '=' ->
          Reply.text(
              new String(
                  bytes, VERBATIM_HEAD, bytes.length - VERBATIM_HEAD, StandardCharsets.UTF_8));
      default -> Reply.bulk(bytes);
    };
  }

  private @Nullable Reply readHead(ByteBuf in, char mark) throws ProtocolException {
    if (!number.read(in, in.readerIndex() + 1, "invalid multibulk length")) {
      return null;
    }
    long count = number.value() * (mark == '%' ? 2 : 1);
    if (count < -1 || count > MAX_ELEMENTS - elements) {
      throw new ProtocolException("invalid multibulk length");
    }
    in.readerIndex(number.end());
    if (count == -1) {
      return Reply.NULL_ARRAY;
    }
    var frame = new Frame(mark, (int) count);
    if (count == 0) {
      return frame.reply();
    }
    if (open.size() == MAX_DEPTH) {
      throw new ProtocolException("too deep nesting");
    }
    elements += (int) count;
    open.push(frame);
    return null;
  }

  /** An aggregate whose elements are being read. */
  private static final class Frame {
    private final char mark;
    private final int wanted;
    private final List<Reply> elements = new ArrayList<>();

    Frame(char mark, int wanted) {
      this.mark = mark;
      this.wanted = wanted;
    }

    Reply reply() {
      return switch (mark) {
        case '%' -> Reply.map(elements);
        case '~' -> Reply.set(elements);
        case '>' -> Reply.push(elements);
        default -> Reply.array(elements);
      };
    }
  }
}
