package io.heatshield.redis.connection;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * Reads one reply in bounded memory, whatever the bytes are.
 *
 * <p>The reader of Jedis allocates the announced length of a bulk string before any of it has
 * arrived, and does not bound the length of a line.
 */
final class ReplyReader {
  static final int MAX_LINE = 4096;
  static final int MAX_REPLY = 8 << 20;
  private static final int MAX_DEPTH = 8;
  private static final int ELEMENT_COST = 32;
  private static final int MAX_DIGITS = 20;

  private final RedisInputStream in;
  private int left = MAX_REPLY;

  private ReplyReader(RedisInputStream in) {
    this.in = in;
  }

  /**
   * Returns the reply: a {@link Long}, bytes, a list of these, or null for nil.
   *
   * @throws JedisDataException if the reply is an error; its message is the text
   * @throws JedisConnectionException if no reply arrives, or one that is malformed or too large
   */
  static @Nullable Object read(RedisInputStream in) {
    byte kind = in.readByte();
    return kind == ':' ? (Object) number(in) : new ReplyReader(in).rest(kind, 0);
  }

  /** Returns a RESP3 reply likewise; a map is a list of keys and values, a push is a list. */
  static @Nullable Object readResp3(RedisInputStream in) {
    var reader = new ReplyReader(in);
    byte kind = in.readByte();
    return switch (kind) {
      case '>' -> reader.array(number(in), 1);
      case '%' -> {
        long pairs = number(in);
        reader.charge(pairs);
        yield reader.array(2 * pairs, 1);
      }
      case '_' -> reader.nil();
      default -> reader.rest(kind, 0);
    };
  }

  private @Nullable Object rest(byte kind, int depth) {
    return switch (kind) {
      case ':' -> number(in);
      case '+' -> line();
      case '-' -> throw error(new String(line(), StandardCharsets.ISO_8859_1), depth);
      case '$' -> bulk(number(in));
      case '*' -> array(number(in), depth + 1);
      default -> throw new JedisConnectionException("not a RESP2 reply");
    };
  }

  /** Returns the exception; an error inside an array would leave the rest of it unread. */
  private static JedisException error(String text, int depth) {
    return depth == 0
        ? new JedisDataException(text)
        : new JedisConnectionException("an array contains an error");
  }

  /** Returns a 64-bit integer in the decimal form that Redis writes. */
  private static long number(RedisInputStream in) {
    var digits = new StringBuilder(MAX_DIGITS);
    for (byte b = in.readByte(); b != '\r'; b = in.readByte()) {
      boolean fits = (b >= '0' && b <= '9') || (b == '-' && digits.isEmpty());
      if (!fits || digits.length() == MAX_DIGITS) {
        throw new JedisConnectionException("not an integer");
      }
      digits.append((char) b);
    }
    expect(in, '\n');
    try {
      return Long.parseLong(digits, 0, digits.length(), 10);
    } catch (NumberFormatException e) {
      throw new JedisConnectionException("not an integer", e);
    }
  }

  private byte[] line() {
    var line = new ByteArrayOutputStream();
    for (byte b = in.readByte(); b != '\r'; b = in.readByte()) {
      if (line.size() == MAX_LINE) {
        throw new JedisConnectionException("a line is longer than " + MAX_LINE + " bytes");
      }
      line.write(b);
    }
    expect(in, '\n');
    charge(line.size());
    return line.toByteArray();
  }

  private byte @Nullable [] bulk(long length) {
    if (length == -1) {
      return null;
    }
    charge(length);
    var bytes = new byte[(int) length];
    int at = 0;
    while (at < bytes.length) {
      int count = in.read(bytes, at, bytes.length - at);
      if (count < 0) {
        throw new JedisConnectionException("the reply ends inside a bulk string");
      }
      at += count;
    }
    expect(in, '\r');
    expect(in, '\n');
    return bytes;
  }

  private @Nullable List<@Nullable Object> array(long length, int depth) {
    if (length == -1) {
      return null;
    }
    if (depth > MAX_DEPTH || length > MAX_REPLY) {
      throw new JedisConnectionException("a reply is nested too deep or too long");
    }
    charge(length * ELEMENT_COST);
    var list = new ArrayList<@Nullable Object>((int) length);
    for (long i = 0; i < length; i++) {
      byte kind = in.readByte();
      list.add(kind == '_' ? nil() : rest(kind, depth));
    }
    return list;
  }

  private @Nullable Object nil() {
    line();
    return null;
  }

  private void charge(long bytes) {
    if (bytes < 0 || bytes > left) {
      throw new JedisConnectionException("a reply is larger than " + MAX_REPLY + " bytes");
    }
    left -= (int) bytes;
  }

  private static void expect(RedisInputStream in, char end) {
    if (in.readByte() != end) {
      throw new JedisConnectionException("a reply does not end with CRLF");
    }
  }
}
