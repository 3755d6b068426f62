package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the commands of a client begin and end, for a proxy that forwards the bytes.
 *
 * <p>A command of at most {@value #PIECE} bytes is inspected in place once it is complete. A longer
 * one is forwarded while it arrives. Its words of at most {@value #WORD} bytes are kept until its
 * end, up to {@value #KEPT_WORDS} words with {@value #KEPT_BYTES} bytes.
 *
 * <p>Not thread-safe. After an error the connection must be closed.
 */
public final class RequestScanner {
  /** The size in bytes above which a command is forwarded before it is complete. */
  public static final int PIECE = 64 << 10;

  /** The longest word that is kept of a command which is forwarded in pieces. */
  public static final int WORD = 16 << 10;

  static final int KEPT_BYTES = 1 << 20;
  static final int KEPT_WORDS = 1 << 16;
  private static final int MAX_WORDS = 1 << 20;
  private static final int NONE = -1;

  private final NumberLine number = new NumberLine();
  private final InlineCommand inline = new InlineCommand();
  private int[] starts = new int[8];
  private int[] lengths = new int[8];
  private int expected = NONE;
  private int found;
  private int at;
  private int head;
  private long left = NONE;
  private @Nullable List<byte @Nullable []> kept;
  private long keptBytes;
  private boolean passed;
  private long passedBytes;
  private boolean lost;
  private ByteBuf source = Unpooled.EMPTY_BUFFER;

  /** Creates a scanner at the start of a command. */
  public RequestScanner() {}

  /**
   * Reads up to the end of the next command, without moving the reader index.
   *
   * @return whether the command is complete; {@link #size} is its length then
   * @throws ProtocolException if the bytes are not a command
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

  /** Returns the number of bytes after the reader index that belong to the complete command. */
  public int size() {
    return at;
  }

  /** Returns the length of the command in bytes, with those that were forwarded already. */
  public long total() {
    return passedBytes + at;
  }

  /** Returns the number of words; 0 for an empty command, which gets no reply. */
  public int count() {
    return Math.max(0, found);
  }

  /** Returns whether a part of the command was forwarded before it was complete. */
  public boolean isPassed() {
    return passed;
  }

  /** Returns whether all words except the long ones are known. */
  public boolean isKnown() {
    return !lost;
  }

  /** Returns a word, or null if it was forwarded and not kept. */
  public byte @Nullable [] word(int place) {
    if (kept != null) {
      return place < kept.size() ? kept.get(place) : null;
    }
    return copy(source, starts[place], lengths[place]);
  }

  /** Returns the length of a word, or -1 if the word was forwarded and not kept. */
  public int length(int place) {
    if (kept != null) {
      byte[] word = word(place);
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

  /** Returns whether a word equals a lower-case text, ignoring the case of the word. */
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

  /** Returns a word as a number of at most nine digits, or -1 if it is not one. */
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

  /** Ends the current command; the next one follows after its bytes. */
  public void next() {
    expected = NONE;
    found = 0;
    at = 0;
    left = NONE;
    kept = null;
    keptBytes = 0;
    passed = false;
    passedBytes = 0;
    lost = false;
  }

  /**
   * Returns how many bytes of an incomplete command are to be forwarded now. The caller moves the
   * reader index past them before the next call of {@link #read}.
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
    if (kept == null) {
      var words = new ArrayList<byte @Nullable []>();
      for (int i = 0; i < found; i++) {
        keep(words, in, starts[i], lengths[i]);
      }
      kept = words;
    }
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

  private boolean begin(ByteBuf in) throws ProtocolException {
    if (!in.isReadable()) {
      return false;
    }
    int from = in.readerIndex();
    if (InlineCommand.isInline(in.getByte(from))) {
      List<byte[]> words = inline.read(in, PIECE);
      if (words == null) {
        return false;
      }
      at = in.readerIndex() - from;
      in.readerIndex(from);
      kept = new ArrayList<>(words);
      found = words.size();
      expected = found;
      return true;
    }
    if (!number.read(in, from + 1, "invalid multibulk length")) {
      return false;
    }
    if (number.value() > MAX_WORDS) {
      throw new ProtocolException("invalid multibulk length");
    }
    at = number.end() - from;
    expected = (int) Math.max(0, number.value());
    return true;
  }

  private boolean readWord(ByteBuf in) throws ProtocolException {
    int from = in.readerIndex();
    if (left == NONE) {
      if (!number.readBulkLength(in, from + at)) {
        return false;
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
    add(in, head == NONE ? NONE : (int) left - 2);
    at += (int) left;
    left = NONE;
    return true;
  }

  /** Records the word that begins here; its length is -1 if its start was forwarded already. */
  private void add(ByteBuf in, int length) {
    if (kept != null) {
      keep(kept, in, at, length);
    } else {
      if (found == starts.length) {
        starts = Arrays.copyOf(starts, 2 * found);
        lengths = Arrays.copyOf(lengths, 2 * found);
      }
      starts[found] = at;
      lengths[found] = length;
    }
    found++;
  }

  /** Copies a word that is about to be forwarded, if it is short enough. */
  private void keep(List<byte @Nullable []> words, ByteBuf in, int start, int length) {
    if (words.size() >= KEPT_WORDS) {
      lost = true;
      return;
    }
    byte[] word = null;
    if (length >= 0 && length <= WORD) {
      if (keptBytes + length <= KEPT_BYTES) {
        word = copy(in, start, length);
        keptBytes += length;
      } else {
        lost = true;
      }
    }
    words.add(word);
  }

  private static byte[] copy(ByteBuf in, int start, int length) {
    byte[] word = new byte[length];
    in.getBytes(in.readerIndex() + start, word);
    return word;
  }
}
