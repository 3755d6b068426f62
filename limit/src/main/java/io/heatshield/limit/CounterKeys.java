package io.heatshield.limit;

import io.heatshield.hash.KeyHash;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
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
    int length = 2 + size(domain);
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      String pattern = shared == null ? null : shared[i];
      length += size(entry.key()) + size(pattern == null ? entry.value() : pattern);
    }
    byte[] bytes = new byte[length];
    bytes[0] = (byte) unit.letter();
    bytes[1] = (byte) algorithm.letter();
    int at = write(domain, ':', bytes, 2);
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      String pattern = shared == null ? null : shared[i];
      at = write(entry.key(), ':', bytes, at);
      at = pattern == null ? write(entry.value(), ':', bytes, at) : write(pattern, '*', bytes, at);
    }
    byte[] kept = length > MAX_BYTES ? digest(bytes) : bytes;
    return new CounterKey(kept, keyHash.hash(kept));
  }

  private static int size(String text) {
    int length = text.length();
    int size = digits(length) + 1 + length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        size += c >= 0x800 ? 2 : 1;
      }
    }
    return size;
  }

  private static int write(String text, char mark, byte[] bytes, int start) {
    int length = text.length();
    int at = start + digits(length);
    int rest = length;
    for (int digit = at - 1; digit >= start; digit--) {
      bytes[digit] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    bytes[at++] = (byte) mark;
    for (int i = 0; i < length; i++) {
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
      int digits = digits(bytes.length);
      byte[] kept = new byte[2 + 1 + digits + 1 + digest.length];
      kept[0] = bytes[0];
      kept[1] = bytes[1];
      kept[2] = '#';
      int rest = bytes.length;
      for (int digit = 2 + digits; digit > 2; digit--) {
        kept[digit] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
      kept[3 + digits] = ':';
      System.arraycopy(digest, 0, kept, 4 + digits, digest.length);
      return kept;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
