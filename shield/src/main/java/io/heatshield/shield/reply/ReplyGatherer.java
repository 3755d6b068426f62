package io.heatshield.shield.reply;

import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.ReplyScanner;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Combines the replies of several servers into one. Not thread-safe.
 *
 * <p>If one of them is an error, so is the combined reply, except for {@link Kind#ONE}.
 */
public final class ReplyGatherer {
  /** The largest reply that is gathered. */
  public static final int MAX_BYTES = 64 << 20;

  private static final byte[] TOO_LARGE =
      RespEncoder.error(
          "ERR the combined replies of the cluster's nodes are larger than 64 MiB, request less");
  private static final byte[] INCOMPATIBLE =
      RespEncoder.error("ERR the replies of the cluster's nodes cannot be combined");

  /** A way to combine replies. */
  public enum Kind {
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
  private long bytes;
  private byte @Nullable [] fault;

  private ReplyGatherer(Kind kind, int parts, List<List<Integer>> positions, ScanCursor cursor) {
    this.kind = kind;
    this.parts = new byte[parts][];
    this.positions = positions;
    this.cursor = cursor;
  }

  public static ReplyGatherer of(Kind kind, int parts) {
    return new ReplyGatherer(kind, parts, List.of(), ScanCursor.START);
  }

  /** Returns a gatherer of lists, given the position of each element in the combined list. */
  public static ReplyGatherer byKey(List<List<Integer>> positions) {
    return new ReplyGatherer(Kind.BY_KEY, positions.size(), positions, ScanCursor.START);
  }

  public static ReplyGatherer page(ScanCursor cursor) {
    return new ReplyGatherer(Kind.PAGE, 1, List.of(), cursor);
  }

  /** Returns whether a part is the last one. */
  public boolean isLast(int part) {
    return part == parts.length - 1;
  }

  /** Records an error, which becomes the combined reply unless there is one already. */
  public void fail(byte[] error) {
    fault = fault == null ? error : fault;
  }

  /** Returns the size of the parts that have been added. */
  public long bytes() {
    return bytes;
  }

  /** Adds the reply of a part. */
  public void add(int part, byte[] reply) {
    bytes += reply.length;
    if (kind != Kind.ONE && isError(reply)) {
      fail(reply);
    } else if (bytes > MAX_BYTES) {
      fail(TOO_LARGE);
    }
    parts[part] = fault == null ? reply : new byte[0];
  }

  /** Returns the combined reply. */
  public byte[] whole() {
    if (fault == null) {
      try {
        byte[] made = combine();
        if (made != null) {
          return made;
        }
      } catch (ProtocolException | NumberFormatException e) {
        // Handled below.
      }
    }
    return fault == null ? INCOMPATIBLE : fault;
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

  /** Returns a success if there is one, or else preferably an error other than NOTBUSY. */
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
    return RespEncoder.ascii(":" + result + "\r\n");
  }

  private byte[] lists() {
    long size = 0;
    for (byte[] part : parts) {
      size += head(part, '*');
    }
    var out = new ByteArrayOutputStream((int) bytes);
    out.writeBytes(RespEncoder.ascii("*" + size + "\r\n"));
    for (byte[] part : parts) {
      int from = bodyAt(part);
      out.write(part, from, part.length - from);
    }
    return out.toByteArray();
  }

  private byte @Nullable [] byKey() throws ProtocolException {
    int size = positions.stream().mapToInt(List::size).sum();
    var elements = new byte[size][];
    for (int i = 0; i < parts.length; i++) {
      byte[] part = parts[i];
      if (head(part, '*') != positions.get(i).size()) {
        return null;
      }
      var scanner = new ReplyScanner();
      int from = bodyAt(part);
      for (int position : positions.get(i)) {
        int end = scanner.end(Unpooled.wrappedBuffer(part), from);
        if (end < 0) {
          return null;
        }
        elements[position] = Arrays.copyOfRange(part, from, end);
        from = end;
      }
    }
    var out = new ByteArrayOutputStream((int) bytes);
    out.writeBytes(RespEncoder.ascii("*" + size + "\r\n"));
    for (byte[] element : elements) {
      out.writeBytes(element);
    }
    return out.toByteArray();
  }

  /** Returns the number in the first line of a reply. */
  static long head(byte[] reply, char mark) {
    int end = bodyAt(reply) - 2;
    if (reply[0] != mark || end < 2) {
      throw new NumberFormatException("reply must begin with " + mark);
    }
    return Long.parseLong(new String(reply, 1, end - 1, StandardCharsets.US_ASCII));
  }

  /** Returns the index after the first line of a reply. */
  static int bodyAt(byte[] reply) {
    for (int i = 0; i < reply.length; i++) {
      if (reply[i] == '\n') {
        return i + 1;
      }
    }
    return reply.length;
  }
}
