package io.heatshield.shield.reply;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cursor of a SCAN through all servers of a cluster, one after the other. Clients see one
 * number: the server's own cursor and, in the low ten bits, the index of the server.
 *
 * @param server the index of the server
 * @param own the server's own cursor, 0 at its start
 * @param servers the number of servers
 */
public record ScanCursor(int server, long own, int servers) {
  static final ScanCursor START = new ScanCursor(0, 0, 1);
  private static final int BITS = 10;
  private static final int MASK = (1 << BITS) - 1;
  private static final Pattern REPLY = Pattern.compile("\\*2\r\n\\$[0-9]+\r\n([0-9]{1,18})\r\n");

  /** Parses the cursor that a client sent; returns null if it is invalid. */
  public static @Nullable ScanCursor parse(byte @Nullable [] word, int servers) {
    String text = word == null ? "" : new String(word, StandardCharsets.US_ASCII);
    if (!text.matches("[0-9]{1,18}")) {
      return null;
    }
    long number = Long.parseLong(text);
    int server = (int) (number & MASK);
    return server < servers ? new ScanCursor(server, number >>> BITS, servers) : null;
  }

  /** Replaces the cursor in a server's reply; returns null if it is not a reply to SCAN. */
  byte @Nullable [] encode(byte[] reply) {
    String start = new String(reply, 0, Math.min(reply.length, 64), StandardCharsets.US_ASCII);
    Matcher head = REPLY.matcher(start);
    if (!head.lookingAt()) {
      return null;
    }
    long following = Long.parseLong(head.group(1));
    if (following >>> (Long.SIZE - 2 - BITS) != 0) {
      return null;
    }
    boolean last = following == 0 && server == servers - 1;
    long next = following != 0 ? (following << BITS) | server : last ? 0 : server + 1L;
    String cursor = Long.toString(next);
    var out = new ByteArrayOutputStream(reply.length + 16);
    out.writeBytes(RespEncoder.ascii("*2\r\n$" + cursor.length() + "\r\n" + cursor));
    out.write(reply, head.end(1), reply.length - head.end(1));
    return out.toByteArray();
  }
}
