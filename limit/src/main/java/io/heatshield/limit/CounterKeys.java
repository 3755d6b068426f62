package io.heatshield.limit;

import io.heatshield.hash.KeyHash;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the names of counters; the encoding is a stored format, see ADR 15. */
public final class CounterKeys {
  /*
   * unit letter, algorithm letter, domain, then key and value of every entry, each text as
   *
   *   number of chars in decimal, ':', the chars in 1 to 3 bytes each
   *
   * with '*' in place of ':' where a rule's pattern stands for all values that it matches. A reader
   * could take this apart again, so two different inputs never give the same bytes. The chars are
   * UTF-8 but for surrogates, which stand for themselves in three bytes: an unpaired one must not
   * turn into a question mark. More than MAX_BYTES becomes the two letters, '#', the length, ':' and
   * the SHA-256 of the whole.
   */
  /** The most bytes of a name. */
  public static final int MAX_BYTES = 512;

  private final KeyHash keyHash;

  /** Creates a writer whose names are hashed by a function. */
  public CounterKeys(KeyHash keyHash) {
    this.keyHash = keyHash;
  }

  /** Returns the name of the counter of a path of entries. */
  public CounterKey key(String domain, List<Entry> entries, LimitUnit unit, Algorithm algorithm) {
    return key(domain, entries, null, unit, algorithm);
  }

  /**
   * Returns the name of the counter of a path of entries, some of which share one.
   *
   * @param shared for each entry the pattern that stands for its value, or null
   */
  CounterKey key(
      String domain,
      List<Entry> entries,
      @Nullable String @Nullable [] shared,
      LimitUnit unit,
      Algorithm algorithm) {
    // Nearly all texts are ASCII, whose size is known without a look at every char.
    byte[] bytes = encoded(domain, entries, shared, false);
    if (bytes == null) {
      bytes = Objects.requireNonNull(encoded(domain, entries, shared, true));
    }
    bytes[0] = (byte) unit.letter();
    bytes[1] = (byte) algorithm.letter();
    byte[] kept = bytes.length > MAX_BYTES ? digest(bytes) : bytes;
    return new CounterKey(kept, keyHash.hash(kept));
  }

  /** Returns the name without its first two letters; null if a text is not ASCII but should be. */
  private static byte @Nullable [] encoded(
      String domain, List<Entry> entries, @Nullable String @Nullable [] shared, boolean wide) {
    int length = 2 + size(domain, wide);
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      String pattern = shared == null ? null : shared[i];
      length += size(entry.key(), wide) + size(pattern == null ? entry.value() : pattern, wide);
    }
    byte[] bytes = new byte[length];
    int at = write(domain, ':', bytes, 2, wide);
    for (int i = 0; i < entries.size() && at > 0; i++) {
      Entry entry = entries.get(i);
      String pattern = shared == null ? null : shared[i];
      at = write(entry.key(), ':', bytes, at, wide);
      if (at > 0) {
        at =
            pattern == null
                ? write(entry.value(), ':', bytes, at, wide)
                : write(pattern, '*', bytes, at, wide);
      }
    }
    return at > 0 ? bytes : null;
  }

  private static int size(String text, boolean wide) {
    int length = text.length();
    int size = digits(length) + 1 + length;
    for (int i = 0; wide && i < length; i++) {
      char c = text.charAt(i);
      size += c >= 0x800 ? 2 : c >= 0x80 ? 1 : 0;
    }
    return size;
  }

  /** Writes a text and returns where it ends; -1 if it is not ASCII but should be. */
  private static int write(String text, char mark, byte[] bytes, int start, boolean wide) {
    int length = text.length();
    int at = writeNumber(length, bytes, start);
    bytes[at++] = (byte) mark;
    return wide ? writeWide(text, bytes, at) : writeAscii(text, bytes, at);
  }

  private static int writeAscii(String text, byte[] bytes, int start) {
    int length = text.length();
    int seen = 0;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      seen |= c;
      bytes[start + i] = (byte) c;
    }
    return seen < 0x80 ? start + length : -1;
  }

  private static int writeWide(String text, byte[] bytes, int start) {
    int at = start;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xc0 | (c >> 6));
        bytes[at++] = (byte) (0x80 | (c & 0x3f));
      } else {
        bytes[at++] = (byte) (0xe0 | (c >> 12));
        bytes[at++] = (byte) (0x80 | ((c >> 6) & 0x3f));
        bytes[at++] = (byte) (0x80 | (c & 0x3f));
      }
    }
    return at;
  }

  private static int writeNumber(int number, byte[] bytes, int start) {
    if (number < 10) {
      bytes[start] = (byte) ('0' + number);
      return start + 1;
    }
    int end = start + digits(number);
    int rest = number;
    for (int at = end - 1; at >= start; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return end;
  }

  private static int digits(int length) {
    int digits = 1;
    for (int rest = length; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static byte[] digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      int from = 2 + 1 + digits(bytes.length) + 1;
      byte[] kept = new byte[from + digest.length];
      kept[0] = bytes[0];
      kept[1] = bytes[1];
      kept[2] = '#';
      kept[writeNumber(bytes.length, kept, 3)] = ':';
      System.arraycopy(digest, 0, kept, from, digest.length);
      return kept;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
