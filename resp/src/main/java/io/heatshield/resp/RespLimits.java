package io.heatshield.resp;

/**
 * Limits on the commands that a client may send.
 *
 * @param maxArguments the number of words in one command, its name included
 * @param maxArgumentBytes the length of one word
 * @param maxInlineBytes the length of a command that is sent as a line of text
 */
public record RespLimits(int maxArguments, int maxArgumentBytes, int maxInlineBytes) {
  /** The maximum length of a word in the protocol. */
  public static final int PROTOCOL_BYTES = 512 << 20;

  /** Checks that every limit is above zero. */
  public RespLimits {
    requirePositive("maxArguments", maxArguments);
    requirePositive("maxArgumentBytes", maxArgumentBytes);
    requirePositive("maxInlineBytes", maxInlineBytes);
    if (maxArgumentBytes > PROTOCOL_BYTES) {
      throw new IllegalArgumentException(
          "maxArgumentBytes must be at most " + PROTOCOL_BYTES + ": " + maxArgumentBytes);
    }
  }

  /** Returns 1,024 words of 64 KiB, and lines of 64 KiB. */
  public static RespLimits defaults() {
    return new RespLimits(1024, 64 << 10, 64 << 10);
  }

  /** Returns the limits of a client that has not authenticated: 10 words of 16 KiB. */
  public static RespLimits unauthenticated() {
    return new RespLimits(10, 16 << 10, 64 << 10);
  }

  /** Returns these limits with another maximum length of a word. */
  public RespLimits withArgumentBytes(int bytes) {
    return new RespLimits(maxArguments, bytes, maxInlineBytes);
  }

  private static void requirePositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be above zero: " + value);
    }
  }
}
