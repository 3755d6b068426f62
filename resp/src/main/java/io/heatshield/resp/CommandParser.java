package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads the commands of one client: arrays of bulk strings, or lines of text.
 *
 * <p>It takes bytes as they come, however they are cut, and reads the same commands and the same
 * fault from the same bytes. It holds no more than the words of one command that have arrived
 * whole; what was only announced takes no memory. After a fault the connection is of no more use.
 *
 * <p>For one thread.
 */
public final class CommandParser {
  private static final byte[][] NONE = {};
  private static final int FIRST_ROOM = 8;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int BETWEEN = -1;

  private final NumberLine number = new NumberLine();
  private RespLimits limits;
  private byte[][] words = NONE;
  private int filled;
  private int expected;
  private int length = BETWEEN;
  private int scanned;
  private long held;

  /** Creates a parser with what its client may send. */
  public CommandParser(RespLimits limits) {
    this.limits = limits;
  }

  /** Sets other limits, from the next part of a command on. */
  public void limits(RespLimits next) {
    limits = next;
  }

  /**
   * Reads on, up to the end of the next command.
   *
   * <p>Commands without a word are passed over, as Redis does.
   *
   * @param in what has come and was not yet read; what this reads is behind its reader index after
   * @return whether a command is whole; {@link #take} gives it out
   * @throws ProtocolException if the bytes are no command or go past a limit
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

  /** Returns the words of the command that is whole, and forgets them. */
  public byte[][] take() {
    if (expected == 0 || filled < expected) {
      throw new IllegalStateException("there is no whole command");
    }
    byte[][] taken = words.length == filled ? words : Arrays.copyOf(words, filled);
    words = NONE;
    filled = 0;
    expected = 0;
    held = 0;
    return taken;
  }

  /** Returns the bytes of the words that wait for the rest of their command. */
  public long held() {
    return held;
  }

  /** Returns whether a part of a command has been read and the rest is missing. */
  public boolean isWithin() {
    return expected > 0;
  }

  /** Reads the head of an array or a whole line; returns false when bytes are missing. */
  private boolean begin(ByteBuf in) throws ProtocolException {
    while (in.isReadable()) {
      byte first = in.getByte(in.readerIndex());
      if (first == TLS_HANDSHAKE) {
        throw new ProtocolException("this port does not speak TLS");
      }
      if (first != '*') {
        if (!readLine(in)) {
          return false;
        }
      } else if (number.read(in, in.readerIndex() + 1, "invalid multibulk length")) {
        in.readerIndex(number.end());
        expect(number.value());
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
    if (count <= 0) {
      return;
    }
    if (count > Integer.MAX_VALUE) {
      throw new ProtocolException("invalid multibulk length");
    }
    checkCount(count);
    expected = (int) count;
    words = new byte[Math.min(expected, FIRST_ROOM)][];
  }

  private void checkCount(long count) throws ProtocolException {
    if (count > limits.maxArguments()) {
      throw new ProtocolException("multibulk length must be at most " + limits.maxArguments());
    }
  }

  private boolean readWord(ByteBuf in) throws ProtocolException {
    if (length == BETWEEN) {
      if (!in.isReadable()) {
        return false;
      }
      byte mark = in.getByte(in.readerIndex());
      if (mark != '$') {
        throw new ProtocolException("expected '$', got '" + shown(mark) + "'");
      }
      if (!number.read(in, in.readerIndex() + 1, "invalid bulk length")) {
        return false;
      }
      if (number.value() < 0 || number.value() > RespLimits.PROTOCOL_BYTES) {
        throw new ProtocolException("invalid bulk length");
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
    length = BETWEEN;
    return true;
  }

  private static void checkEnd(ByteBuf in, int index, char wanted) throws ProtocolException {
    if (index < in.writerIndex() && in.getByte(index) != wanted) {
      throw new ProtocolException("expected CR LF after a bulk");
    }
  }

  private boolean readLine(ByteBuf in) throws ProtocolException {
    int from = in.readerIndex();
    int end = in.indexOf(from + scanned, in.writerIndex(), (byte) '\n');
    int bytes = (end < 0 ? in.writerIndex() : end) - from;
    if (bytes > limits.maxInlineBytes()) {
      throw new ProtocolException("too big inline request");
    }
    if (end < 0) {
      scanned = bytes;
      return false;
    }
    scanned = 0;
    byte[] line = new byte[bytes > 0 && in.getByte(end - 1) == '\r' ? bytes - 1 : bytes];
    in.readBytes(line).readerIndex(end + 1);
    List<byte[]> split = InlineWords.split(line);
    if (split == null) {
      throw new ProtocolException("unbalanced quotes in request");
    }
    if (!split.isEmpty()) {
      checkCount(split.size());
      words = split.toArray(NONE);
      expected = words.length;
      filled = expected;
    }
    return true;
  }

  static String shown(byte b) {
    return b >= 0x20 && b < 0x7f ? String.valueOf((char) b) : "\\x" + HexFormat.of().toHexDigits(b);
  }
}
