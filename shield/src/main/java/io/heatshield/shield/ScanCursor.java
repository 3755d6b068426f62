package io.heatshield.shield;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A cursor of a SCAN through all servers of a cluster, one after the other. Clients see one number:
 * the server's own cursor and, in the low ten bits, the index of the server.
 *
 * @param server the index of the server
 * @param own the server's own cursor, 0 at its start
 * @param servers how many servers there are
 */
record ScanCursor(int server, long own, int servers) {
  static final ScanCursor START = new ScanCursor(0, 0, 1);
  private static final int BITS = 10;
  private static final int MASK = (1 << BITS) - 1;

  /** Returns the cursor that a client sent, or null if it is invalid. */
  static @Nullable ScanCursor parse(byte @Nullable [] word, int servers) {
    String text = word == null ? "" : new String(word, StandardCharsets.US_ASCII);
    if (!text.matches("[0-9]{1,18}")) {
      return null;
    }
    long number = Long.parseLong(text);
    int server = (int) (number & MASK);
    return server < servers ? new ScanCursor(server, number >>> BITS, servers) : null;
  }

  /**
   * Returns a server's reply with the client's next cursor, or null if it is not a reply to SCAN.
   */
  byte @Nullable [] encode(byte[] reply) {
    int at = ReplyGatherer.bodyAt(reply);
    int text = at;
    while (text < reply.length && reply[text] != '\n') {
      text++;
    }
    int end = text + 1;
    while (end < reply.length && reply[end] != '\r') {
      end++;
    }
    if (ReplyGatherer.head(reply, '*') != 2 || end + 2 > reply.length) {
      return null;
    }
    long following =
        Long.parseLong(new String(reply, text + 1, end - text - 1, StandardCharsets.US_ASCII));
    if (following >>> (Long.SIZE - 2 - BITS) != 0) {
      return null;
    }
    boolean last = following == 0 && server == servers - 1;
    long next = following != 0 ? (following << BITS) | server : last ? 0 : server + 1L;
    String cursor = Long.toString(next);
    var out = new ByteArrayOutputStream(reply.length + 16);
    out.write(reply, 0, at);
    out.writeBytes(("$" + cursor.length() + "\r\n" + cursor).getBytes(StandardCharsets.US_ASCII));
    out.write(reply, end, reply.length - end);
    return out.toByteArray();
  }
}
