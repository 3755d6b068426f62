package io.heatshield.shield;

import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.ReplyScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the replies of several servers into one. For one thread.
 *
 * <p>If any of them is an error, so is the whole.
 */
final class ReplyGatherer {
  static final int MAX_BYTES = 64 << 20;
  private static final byte[] TOO_MUCH =
      RespEncoder.error(
          "ERR the answers of several nodes are more than can be put together here, ask for less");
  private static final byte[] UNLIKE =
      RespEncoder.error("ERR the nodes of the cluster do not answer alike");

  /** How one reply is made of several. */
  enum Kind {
    /** The numbers are added. */
    SUM,
    /** The smallest number. */
    LEAST,
    /** All replies are equal. */
    SAME,
    /** One success is enough. */
    ONE,
    /** The first that is not null. */
    ANY,
    /** The lists are concatenated. */
    LISTS,
    /** The elements are put in the order of the keys. */
    BY_KEY,
    /** A page of a SCAN. */
    PAGE
  }

  private final Kind kind;
  private final byte[][] parts;
  private final List<List<Integer>> positions;
  private final ScanCursor cursor;
  private int added;
  private long bytes;
  private byte @Nullable [] fault;

  private ReplyGatherer(Kind kind, int parts, List<List<Integer>> positions, ScanCursor cursor) {
    this.kind = kind;
    this.parts = new byte[parts][];
    this.positions = positions;
    this.cursor = cursor;
  }

  static ReplyGatherer of(Kind kind, int parts) {
    return new ReplyGatherer(kind, parts, List.of(), ScanCursor.START);
  }

  /** Returns a gatherer of lists whose elements go to the positions that are given for each. */
  static ReplyGatherer byKey(List<List<Integer>> positions) {
    return new ReplyGatherer(Kind.BY_KEY, positions.size(), positions, ScanCursor.START);
  }

  static ReplyGatherer page(ScanCursor cursor) {
    return new ReplyGatherer(Kind.PAGE, 1, List.of(), cursor);
  }

  /** Returns whether a part is the last one, whose reply completes the whole. */
  boolean isLast(int part) {
    return part == parts.length - 1;
  }

  /** Records an error, which is then the whole. */
  void fail(byte[] error) {
    fault = fault == null ? error : fault;
  }

  /** Returns the bytes of the parts that are held. */
  long bytes() {
    return bytes;
  }

  /** Adds the reply of a part. */
  void add(int part, byte[] reply) {
    bytes += reply.length;
    added++;
    if (kind != Kind.ONE && isError(reply)) {
      fail(reply);
    } else if (bytes > MAX_BYTES) {
      fail(TOO_MUCH);
    }
    parts[part] = fault == null ? reply : new byte[0];
  }

  /** Returns the gathered reply. */
  byte[] whole() {
    if (fault == null && added == parts.length) {
      try {
        byte[] made = combine();
        if (made != null) {
          return made;
        }
      } catch (ProtocolException | NumberFormatException e) {
        // Handled below.
      }
    }
    return fault == null ? UNLIKE : fault;
  }

  private byte @Nullable [] combine() throws ProtocolException {
    return switch (kind) {
      case SAME -> parts[0];
      case ONE -> anySuccess();
      case ANY -> firstNonNull();
      case SUM, LEAST -> number();
      case LISTS -> lists();
      case BY_KEY -> byKey();
      case PAGE -> cursor.encode(parts[0]);
    };
  }

  /** Returns a success, or else an error of a server that had something to do. */
  private byte[] anySuccess() {
    byte[] best = parts[0];
    for (byte[] part : parts) {
      if (!isError(part)) {
        return part;
      }
      best = new String(best, StandardCharsets.US_ASCII).startsWith("-NOTBUSY") ? part : best;
    }
    return best;
  }

  private static boolean isError(byte[] reply) {
    return reply[0] == '-' || reply[0] == '!';
  }

  private byte[] firstNonNull() {
    for (byte[] part : parts) {
      if (part[0] != '_' && (part.length < 2 || part[1] != '-')) {
        return part;
      }
    }
    return parts[0];
  }

  private byte[] number() {
    long result = kind == Kind.SUM ? 0 : Long.MAX_VALUE;
    for (byte[] part : parts) {
      long one = head(part, ':');
      result = kind == Kind.SUM ? result + one : Math.min(result, one);
    }
    return ascii(":" + result + "\r\n");
  }

  private byte[] lists() {
    long size = 0;
    for (byte[] part : parts) {
      size += head(part, '*');
    }
    var out = new ByteArrayOutputStream((int) bytes);
    out.writeBytes(ascii("*" + size + "\r\n"));
    for (byte[] part : parts) {
      int from = bodyAt(part);
      out.write(part, from, part.length - from);
    }
    return out.toByteArray();
  }

  private byte @Nullable [] byKey() throws ProtocolException {
    int size = positions.stream().mapToInt(List::size).sum();
    var elements = new ByteBuf[size];
    for (int i = 0; i < parts.length; i++) {
      ByteBuf part = Unpooled.wrappedBuffer(parts[i]);
      if (head(parts[i], '*') != positions.get(i).size()) {
        return null;
      }
      var scanner = new ReplyScanner();
      int from = bodyAt(parts[i]);
      for (int position : positions.get(i)) {
        int end = scanner.end(part, from);
        if (end < 0) {
          return null;
        }
        elements[position] = part.slice(from, end - from);
        from = end;
      }
    }
    var out = new byte[(int) bytes + 32];
    ByteBuf all = Unpooled.wrappedBuffer(out).clear();
    all.writeBytes(ascii("*" + size + "\r\n"));
    for (ByteBuf element : elements) {
      all.writeBytes(element);
    }
    return Arrays.copyOf(out, all.readableBytes());
  }

  /** Returns the number in the first line of a reply. */
  static long head(byte[] reply, char mark) {
    int end = bodyAt(reply) - 2;
    if (reply[0] != mark || end < 2) {
      throw new NumberFormatException("not such a reply");
    }
    return Long.parseLong(new String(reply, 1, end - 1, StandardCharsets.US_ASCII));
  }

  /** Returns where the first line of a reply ends. */
  static int bodyAt(byte[] reply) {
    for (int i = 0; i < reply.length; i++) {
      if (reply[i] == '\n') {
        return i + 1;
      }
    }
    return reply.length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
