package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the commands of a client begin and end, for one who hands the bytes on.
 *
 * <p>A command that fits into {@value #PIECE} bytes is waited for and looked at in place. A longer
 * one is passed on as it comes: of its words those up to {@value #WORD} bytes are kept until its
 * end, as long as they are no more than {@value #KEPT_WORDS} with {@value #KEPT_BYTES} bytes.
 *
 * <p>For one thread. After a fault the connection is of no more use.
 */
public final class RequestScanner {
  /** The bytes of a command from which on it is passed on before it is whole. */
  public static final int PIECE = 64 << 10;

  /** The longest word that is kept of a command which is passed on. */
  public static final int WORD = 16 << 10;

  static final int KEPT_BYTES = 1 << 20;
  static final int KEPT_WORDS = 1 << 16;
  private static final int MAX_WORDS = 1 << 20;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int NONE = -1;

  private final NumberLine number = new NumberLine();
  private int[] starts = new int[8];
  private int[] lengths = new int[8];
  private int expected = NONE;
  private int found;
  private int at;
  private int head;
  private long left = NONE;
  private int searched;
  private @Nullable List<byte @Nullable []> kept;
  private long keptBytes;
  private boolean passed;
  private long passedBytes;
  private boolean lost;
  private ByteBuf source = Unpooled.EMPTY_BUFFER;

  /** Creates a scanner at the start of a command. */
  public RequestScanner() {}

  /**
   * Reads on, up to the end of the next command, and leaves the reader index where it is.
   *
   * @return whether the command is whole; then {@link #size} bytes belong to it
   * @throws ProtocolException if the bytes are no command
   */
  public boolean read(ByteBuf in) throws ProtocolException {
    source = in;
    if (expected == NONE && !begin(in)) {
      return false;
    }
    while (found < expected) {
      if (!readWord(in)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the bytes after the reader index that belong to the command, which is whole. */
  public int size() {
    return at;
  }

  /** Returns the bytes of the command, those that were passed on before included. */
  public long total() {
    return passedBytes + at;
  }

  /** Returns the number of words; 0 for an empty command, which nobody answers. */
  public int count() {
    return Math.max(0, found);
  }

  /** Returns whether a part of the command was passed on before it was whole. */
  public boolean isPassed() {
    return passed;
  }

  /** Returns whether all words but the long ones are known. */
  public boolean isKnown() {
    return !lost;
  }

  /** Returns a word, or null if it was passed on and not kept. */
  public byte @Nullable [] word(int place) {
    if (kept != null) {
      return place < kept.size() ? kept.get(place) : null;
    }
    byte[] word = new byte[lengths[place]];
    source.getBytes(source.readerIndex() + starts[place], word);
    return word;
  }

  /** Returns the length of a word, or -1 if it is not known any more. */
  public int length(int place) {
    if (kept != null) {
      byte[] word = place < kept.size() ? kept.get(place) : null;
      return word == null ? -1 : word.length;
    }
    return lengths[place];
  }

  /** Returns one byte of a word. */
  public byte at(int place, int index) {
    if (kept != null) {
      byte[] word = kept.get(place);
      return word == null ? 0 : word[index];
    }
    return source.getByte(source.readerIndex() + starts[place] + index);
  }

  /** Returns whether a word is a text of small letters, written in any case. */
  public boolean is(int place, String text) {
    if (length(place) != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      int b = at(place, i);
      if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a word as a small number, or -1 if it is none. */
  public int number(int place) {
    int length = length(place);
    if (length < 1 || length > 9) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < length; i++) {
      int digit = at(place, i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Forgets the command, which the caller has dealt with; the next one follows. */
  public void next() {
    expected = NONE;
    found = 0;
    at = 0;
    left = NONE;
    searched = 0;
    kept = null;
    keptBytes = 0;
    passed = false;
    passedBytes = 0;
    lost = false;
  }

  /**
   * Returns how many bytes of a command that is not whole are to be passed on now. The caller moves
   * the reader index past them before it reads on.
   */
  public int pass(ByteBuf in) {
    if (expected <= 0) {
      return 0;
    }
    boolean within = left != NONE;
    boolean isLong = within && (head == NONE || left - 2 > WORD);
    int bytes = within && !isLong ? head : at;
    if (isLong) {
      bytes += (int) Math.max(0, Math.min(in.readableBytes() - at, left - 2));
    }
    if (bytes == 0) {
      return 0;
    }
    keep(in);
    if (isLong) {
      left -= bytes - at;
      head = NONE;
    } else {
      left = NONE;
    }
    at = 0;
    passed = true;
    passedBytes += bytes;
    return bytes;
  }

  /** Copies the words found so far, which are about to be passed on. */
  private void keep(ByteBuf in) {
    if (kept != null) {
      return;
    }
    var words = new ArrayList<byte @Nullable []>();
    for (int i = 0; i < found; i++) {
      byte[] word = null;
      if (lengths[i] <= WORD) {
        word = new byte[lengths[i]];
        in.getBytes(in.readerIndex() + starts[i], word);
        keptBytes += word.length;
      }
      words.add(word);
    }
    kept = words;
  }

  private boolean begin(ByteBuf in) throws ProtocolException {
    if (!in.isReadable()) {
      return false;
    }
    byte first = in.getByte(in.readerIndex());
    if (first == TLS_HANDSHAKE) {
      throw new ProtocolException("this port does not speak TLS");
    }
    if (first != '*') {
      return readLine(in);
    }
    if (!number.read(in, in.readerIndex() + 1, "invalid multibulk length")) {
      return false;
    }
    if (number.value() > MAX_WORDS) {
      throw new ProtocolException("invalid multibulk length");
    }
    at = number.end() - in.readerIndex();
    expected = (int) Math.max(0, number.value());
    return true;
  }

  private boolean readWord(ByteBuf in) throws ProtocolException {
    int from = in.readerIndex();
    if (left == NONE) {
      if (in.readableBytes() <= at) {
        return false;
      }
      if (in.getByte(from + at) != '$') {
        throw new ProtocolException(
            "expected '$', got '" + CommandParser.shown(in.getByte(from + at)) + "'");
      }
      if (!number.read(in, from + at + 1, "invalid bulk length")) {
        return false;
      }
      if (number.value() < 0 || number.value() > RespLimits.PROTOCOL_BYTES) {
        throw new ProtocolException("invalid bulk length");
      }
      head = at;
      at = number.end() - from;
      left = number.value() + 2;
    }
    if (in.readableBytes() - at < left) {
      return false;
    }
    int end = from + at + (int) left;
    if (in.getByte(end - 2) != '\r' || in.getByte(end - 1) != '\n') {
      throw new ProtocolException("expected CR LF after a bulk");
    }
    note(in, head == NONE ? NONE : (int) left - 2);
    at += (int) left;
    left = NONE;
    return true;
  }

  /** Puts down a word that begins here, or one that is gone already. */
  private void note(ByteBuf in, int length) {
    if (kept == null) {
      if (found == starts.length) {
        starts = Arrays.copyOf(starts, 2 * found);
        lengths = Arrays.copyOf(lengths, 2 * found);
      }
      starts[found] = at;
      lengths[found] = length;
    } else if (kept.size() >= KEPT_WORDS) {
      lost = true;
    } else {
      byte[] word = null;
      if (length >= 0 && length <= WORD && keptBytes + length <= KEPT_BYTES) {
        word = new byte[length];
        in.getBytes(in.readerIndex() + at, word);
        keptBytes += length;
      } else if (length >= 0 && length <= WORD) {
        lost = true;
      }
      kept.add(word);
    }
    found++;
  }

  private boolean readLine(ByteBuf in) throws ProtocolException {
    int from = in.readerIndex();
    int end = in.indexOf(from + searched, in.writerIndex(), (byte) '\n');
    int bytes = (end < 0 ? in.writerIndex() : end) - from;
    if (bytes > PIECE) {
      throw new ProtocolException("too big inline request");
    }
    if (end < 0) {
      searched = bytes;
      return false;
    }
    byte[] line = new byte[bytes > 0 && in.getByte(end - 1) == '\r' ? bytes - 1 : bytes];
    in.getBytes(from, line);
    List<byte[]> words = InlineWords.split(line);
    if (words == null) {
      throw new ProtocolException("unbalanced quotes in request");
    }
    kept = new ArrayList<>(words);
    found = words.size();
    expected = found;
    at = bytes + 1;
    return true;
  }
}
