package io.heatshield.shield;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Ends a load of a hot key with what the upstream answered. */
final class Landing {
  private static final long OF_NO_USE = -2;

  private Landing() {}

  /**
   * Takes an answer.
   *
   * @param bytes the answer, or null if it is not known
   * @param end whether it says when the key ends, and not what it holds
   * @param value whether it is a value
   */
  static void of(
      HotReads memory,
      HotReads.Flight flight,
      @Nullable ByteBuf bytes,
      boolean end,
      boolean value) {
    if (bytes == null) {
      memory.giveUp(flight);
    } else if (end) {
      long ttl = ttl(bytes);
      if (ttl == OF_NO_USE) {
        memory.giveUp(flight);
      } else {
        memory.land(flight, ttl);
      }
    } else if (!value || bytes.readableBytes() > memory.maxReplyBytes()) {
      memory.giveUp(flight);
    } else {
      flight.reply(ByteBufUtil.getBytes(bytes));
      if (!flight.isTimed()) {
        memory.land(flight, -1);
      }
    }
  }

  /** Returns the milliseconds in an answer to PTTL, -1 for without end. */
  private static long ttl(ByteBuf bytes) {
    String text = bytes.toString(StandardCharsets.US_ASCII).trim();
    return text.matches(":(-1|[0-9]{1,18})")
        ? Long.parseLong(text, 1, text.length(), 10)
        : OF_NO_USE;
  }
}
