package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;

/**
 * Parses the commands of one client: arrays of bulk strings, or lines of text.
 *
 * <p>The same bytes produce the same commands and the same error, however they are cut into reads.
 * The parser holds only the words of one command that have arrived completely; a length that was
 * only announced takes no memory. After an error the connection must be closed.
 *
 * <p>Not thread-safe.
 */
public final class CommandParser {
  private static final byte[][] NO_WORDS = {};
  private static final int INITIAL_WORDS = 8;
  private static final int UNKNOWN = -1;

  private final NumberLine number = new NumberLine();
  private final InlineCommand inline = new InlineCommand();
  private RespLimits limits;
  private byte[][] words = NO_WORDS;
  private int filled;
  private int expected;
  private int length = UNKNOWN;
  private long held;

  /** Creates a parser with the limits of its client. */
  public CommandParser(RespLimits limits) {
    this.limits = limits;
  }

  /** Sets the limits, which apply from the next part of a command on. */
  public void limits(RespLimits next) {
    limits = next;
  }

  /**
   * Reads up to the end of the next command. Commands without words are skipped, as in Redis.
   *
   * @param in the bytes that have arrived; the reader index is moved past those that were read
   * @return whether a command is complete; {@link #take} returns it
   * @throws ProtocolException if the bytes are not a command or exceed a limit
   */
  public boolean read(ByteBuf in) throws ProtocolException {
    if (expected == 0 && !begin(in)) {
      return false;
    }
    while (filled < expected) {
      if (!readWord(in)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the words of the complete command, and removes them. */
  public byte[][] take() {
    if (expected == 0 || filled < expected) {
      throw new IllegalStateException("there is no complete command");
    }
    byte[][] taken = words.length == filled ? words : Arrays.copyOf(words, filled);
    words = NO_WORDS;
    filled = 0;
    expected = 0;
    held = 0;
    return taken;
  }

  /** Returns the number of bytes in the words that have been read and not been taken. */
  public long held() {
    return held;
  }

  /** Returns whether a command has been read in part. */
  public boolean isWithin() {
    return expected > 0;
  }

  /** Reads the header of an array or a whole line; returns false if bytes are missing. */
  private boolean begin(ByteBuf in) throws ProtocolException {
    while (in.isReadable()) {
      if (InlineCommand.isInline(in.getByte(in.readerIndex()))) {
        List<byte[]> line = inline.read(in, limits.maxInlineBytes());
        if (line == null) {
          return false;
        }
        expect(line.size());
        words = line.toArray(NO_WORDS);
        filled = expected;
      } else if (number.read(in, in.readerIndex() + 1, "invalid multibulk length")) {
        in.readerIndex(number.end());
        expect(number.value());
        words = new byte[Math.min(expected, INITIAL_WORDS)][];
      } else {
        return false;
      }
      if (expected > 0) {
        return true;
      }
    }
    return false;
  }

  private void expect(long count) throws ProtocolException {
    if (count > Integer.MAX_VALUE) {
      throw new ProtocolException("invalid multibulk length");
    }
    if (count > limits.maxArguments()) {
      throw new ProtocolException("multibulk length must be at most " + limits.maxArguments());
    }
    expected = (int) Math.max(0, count);
  }

  private boolean readWord(ByteBuf in) throws ProtocolException {
    if (length == UNKNOWN) {
      if (!number.readBulkLength(in, in.readerIndex())) {
        return false;
      }
      if (number.value() > limits.maxArgumentBytes()) {
        throw new ProtocolException("bulk length must be at most " + limits.maxArgumentBytes());
      }
      in.readerIndex(number.end());
      length = (int) number.value();
    }
    int from = in.readerIndex();
    checkEnd(in, from + length, '\r');
    checkEnd(in, from + length + 1, '\n');
    if (in.readableBytes() < length + 2) {
      return false;
    }
    byte[] word = new byte[length];
    in.readBytes(word).skipBytes(2);
    if (filled == words.length) {
      words = Arrays.copyOf(words, Math.min(expected, 2 * filled));
    }
    words[filled++] = word;
    held += length;
    length = UNKNOWN;
    return true;
  }

  private static void checkEnd(ByteBuf in, int index, char wanted) throws ProtocolException {
    if (index < in.writerIndex() && in.getByte(index) != wanted) {
      throw new ProtocolException("expected CR LF after a bulk");
    }
  }
}
