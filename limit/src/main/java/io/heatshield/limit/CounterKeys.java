package io.heatshield.limit;

import io.heatshield.hash.KeyHash;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
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
   *
   * The hash is that of the texts, not of the bytes, so that a name need not be written to be found: with
   * h(text) the keyed hash, and for a pattern its complement, from the two letters on
   *
   *   hash = hash * factor + h(text)
   *
   * The factor is as secret as h. It is 3 modulo 4, so that two texts that change places change the hash
   * unless 63 bits of theirs agree.
   */
  /** The most bytes of a name. */
  public static final int MAX_BYTES = 512;

  /** The most bytes that stand before the chars of a text which is short enough to stay one. */
  private static final int MAX_PREFIX = 4;

  private final KeyHash keyHash;
  private final long factor;

  /** Creates a writer whose names are hashed by a function. */
  public CounterKeys(KeyHash keyHash) {
    this.keyHash = keyHash;
    this.factor = keyHash.hash("factor of counter names") | 3;
  }

  /** Returns the name of the counter of a path of entries. */
  public CounterKey key(String domain, List<Entry> entries, LimitUnit unit, Algorithm algorithm) {
    return key(domain, entries, null, new Limit(0, unit, algorithm));
  }

  /**
   * Returns the name of the counter of a path of entries, some of which share one.
   *
   * @param shared for each entry the pattern that stands for its value, or null
   * @param limit of which unit and algorithm are part of the name
   */
  CounterKey key(
      String domain, List<Entry> entries, @Nullable String @Nullable [] shared, Limit limit) {
    byte[] text = textBefore(domain, entries, shared, limit);
    long hash = hashBefore(domain, entries, shared, limit);
    int last = entries.size() - 1;
    if (last < 0) {
      return new CounterKey(bounded(text), null, hash);
    }
    String pattern = shared == null ? null : shared[last];
    return pattern == null
        ? key(text, hash, entries.get(last).value())
        : new CounterKey(
            written(text, pattern, '*'), null, (hash * factor) + ~keyHash.hash(pattern));
  }

  /**
   * Returns the name of the counter of a path by its last value.
   *
   * @param text what {@link #textBefore} gave
   * @param hash what {@link #hashBefore} gave
   */
  CounterKey key(byte[] text, long hash, String last) {
    long whole = (hash * factor) + keyHash.hash(last);
    return text.length + MAX_PREFIX + (3L * last.length()) <= MAX_BYTES
        ? new CounterKey(text, last, whole)
        : new CounterKey(written(text, last, ':'), null, whole);
  }

  /** Returns all that stands in a name before the last value. */
  byte[] textBefore(
      String domain, List<Entry> entries, @Nullable String @Nullable [] shared, Limit limit) {
    // Nearly all texts are ASCII, whose size is known without a look at every char.
    byte[] bytes = encoded(domain, entries, shared, false);
    if (bytes == null) {
      bytes = Objects.requireNonNull(encoded(domain, entries, shared, true));
    }
    bytes[0] = (byte) limit.unit().letter();
    bytes[1] = (byte) limit.algorithm().letter();
    return bytes;
  }

  /** Returns the hash of all that stands in a name before the last value. */
  long hashBefore(
      String domain, List<Entry> entries, @Nullable String @Nullable [] shared, Limit limit) {
    long hash = (limit.unit().letter() << Byte.SIZE) | limit.algorithm().letter();
    hash = (hash * factor) + keyHash.hash(domain);
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      hash = (hash * factor) + keyHash.hash(entry.key());
      if (i < entries.size() - 1) {
        String pattern = shared == null ? null : shared[i];
        hash =
            (hash * factor)
                + (pattern == null ? keyHash.hash(entry.value()) : ~keyHash.hash(pattern));
      }
    }
    return hash;
  }

  /** Returns a whole name, at length or as a digest. */
  private static byte[] written(byte[] text, String last, char mark) {
    byte[] bytes = Arrays.copyOf(text, text.length + size(last, true));
    int unused = write(last, mark, bytes, text.length, true);
    return bounded(bytes);
  }

  private static byte[] bounded(byte[] name) {
    return name.length > MAX_BYTES ? digest(name) : name;
  }

  /**
   * Returns a name without its first two letters and its last value; null if a text is not ASCII
   * but should be.
   */
  private static byte @Nullable [] encoded(
      String domain, List<Entry> entries, @Nullable String @Nullable [] shared, boolean wide) {
    int last = entries.size() - 1;
    int length = 2 + size(domain, wide) + (last < 0 ? 0 : size(entries.get(last).key(), wide));
    for (int i = 0; i < last; i++) {
      Entry entry = entries.get(i);
      String pattern = shared == null ? null : shared[i];
      length += size(entry.key(), wide) + size(pattern == null ? entry.value() : pattern, wide);
    }
    byte[] bytes = new byte[length];
    int at = write(domain, ':', bytes, 2, wide);
    for (int i = 0; i < last && at > 0; i++) {
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
    if (last >= 0 && at > 0) {
      at = write(entries.get(last).key(), ':', bytes, at, wide);
    }
    return at > 0 ? bytes : null;
  }

  /** Returns how many bytes a text takes, its length before it; if not wide, as one of ASCII. */
  static int size(String text, boolean wide) {
    int length = text.length();
    int size = digits(length) + 1 + length;
    for (int i = 0; wide && i < length; i++) {
      char c = text.charAt(i);
      size += c >= 0x800 ? 2 : c >= 0x80 ? 1 : 0;
    }
    return size;
  }

  /** Writes a text and returns where it ends; -1 if it is not ASCII but should be. */
  static int write(String text, char mark, byte[] bytes, int start, boolean wide) {
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
